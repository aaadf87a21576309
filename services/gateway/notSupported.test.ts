import assert from 'node:assert/strict'
import { aCaller, acceptingIntake, aWorkspace, type Fakes, testGateway } from './testGateway.ts'

const key = {
  id: 'key_1',
  name: 'k',
  scopes: ['emails:send'],
  mode: 'live',
  prefix: 'pr_live_8aX2',
  last_four: '1234',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '',
  last_used_at: '',
  revoked_at: '',
  domains: ['stored.example'],
  networks: [],
}
const session = { token: 'new', csrf_token: 't1', email: 'jane@x.example', caller: aCaller({ user_id: 'usr_1' }) }
const fakes: Fakes = {
  accounts: {
    AuthenticateSession: async () => session,
    LogIn: async () => session,
    GetWorkspace: async () => aWorkspace,
    UpdateWorkspace: async () => ({ ...aWorkspace, retention: '7' }),
    CreateKey: async () => ({ key, secret: 's' }),
    UpdateKey: async () => key,
  },
  templates: {
    Create: async ({ name, subject }) => ({
      id: 'tpl_1',
      name: name ?? '',
      subject: subject ?? '',
      text_body: 't',
      variables: [],
      version: 1,
      created_at: '',
      updated_at: '',
    }),
  },
  intake: acceptingIntake([]) ?? {},
}

const bodies: Record<string, { method: string; path: string; json: Record<string, unknown> }> = {
  send: { method: 'POST', path: '/api/v1/emails', json: { to: ['a@b.example'], subject: 's', text: 't' } },
  template: { method: 'POST', path: '/api/v1/templates', json: { name: 'n', subject: 's', text_body: 't' } },
  'new key': { method: 'POST', path: '/api/v1/api-keys', json: { name: 'n' } },
  'changed key': { method: 'PATCH', path: '/api/v1/api-keys/key_1', json: {} },
  workspace: { method: 'PATCH', path: '/api/v1/workspace', json: {} },
  'log-in': { method: 'POST', path: '/api/v1/auth/login', json: { email: 'jane@x.example', password: 'p' } },
}

/** The contract's fields that do nothing yet, with values that ask for something and values that ask for nothing. */
const fields: [body: string, field: string, refused: unknown[], accepted: unknown[]][] = [
  ['send', 'topic', ['news', '', 5, ['news']], [null]],
  ['send', 'retention', ['none', 'metadata', '7', 7, ''], [null]],
  ['template', 'alias', ['welcome', '', 1], [null]],
  ['new key', 'domains', [['a.example'], ['no domain'], 'a.example', [1], {}], [[], null]],
  ['new key', 'recipients', [['a@b.example'], ['b.example'], 'a@b.example'], [[], null]],
  ['changed key', 'domains', [['a.example'], 'a.example'], [[], null]],
  ['changed key', 'recipients', [['a@b.example'], 'a@b.example'], [[], null]],
  ['workspace', 'retention', ['none', 'metadata', 7, '7', 0, 'forever', '', true], [null]],
  ['log-in', 'code', ['123456', '', 123456], [null]],
]

// These fields were unknown, or stored without any effect.
describe('fields that are not supported yet', () => {
  const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1' }

  for (const [name, field, refused, accepted] of fields) {
    const body = bodies[name] ?? assert.fail(name)
    for (const value of refused)
      it(`${field} of a ${name} is refused: ${JSON.stringify(value)}`, async () => {
        await using gateway = await testGateway(fakes)
        const answer = await gateway.call({ ...body, headers, json: { ...body.json, [field]: value } })
        assert.deepEqual([answer.status, answer.body.code], [422, 'validation_failed'], answer.text)
        assert.deepEqual(
          answer.body.errors?.map(({ path, code }) => [path, code]),
          [[field, 'not_supported']],
        )
      })
    for (const value of accepted)
      it(`${field} of a ${name} is accepted: ${JSON.stringify(value)}`, async () => {
        await using gateway = await testGateway(fakes)
        const answer = await gateway.call({ ...body, headers, json: { ...body.json, [field]: value } })
        assert.ok(answer.status < 300, answer.text)
      })
  }

  it('are reported together with all other problems', async () => {
    await using gateway = await testGateway(fakes)
    const json = { topic: 'news', retention: 7, to: ['nonsense'], text: 't', subject: 's' }
    const { body } = await gateway.call({ path: '/api/v1/emails', headers, json })
    const found = body.errors?.map(({ path, code }) => `${path} ${code}`).sort()
    assert.deepEqual(found, ['retention not_supported', 'to[0] invalid_address', 'topic not_supported'])
  })

  it('show what an earlier release stored', async () => {
    await using gateway = await testGateway(fakes)
    const workspace = await gateway.call({ method: 'PATCH', path: '/api/v1/workspace', headers, json: { name: 'n' } })
    assert.equal(workspace.body['retention'], 7)
    const changed = await gateway.call({
      method: 'PATCH',
      path: '/api/v1/api-keys/key_1',
      headers,
      json: { name: 'n' },
    })
    assert.deepEqual(changed.body['domains'], ['stored.example'])
  })
})
