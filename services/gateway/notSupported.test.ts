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
  recipients: [],
  last_used_from: '',
  rolled_to: '',
  rolled_from: '',
  unused_since: '',
}
const session = {
  token: 'new',
  csrf_token: 't1',
  email: 'jane@x.example',
  caller: aCaller({ user_id: 'usr_1', role: 'owner' }),
}
const fakes: Fakes = {
  accounts: {
    AuthenticateSession: async () => session,
    LogIn: async () => session,
    GetWorkspace: async () => aWorkspace,
    UpdateWorkspace: async () => ({ ...aWorkspace, retention: '7' }),
    UpdateKey: async () => key,
  },
  intake: acceptingIntake([]) ?? {},
}

const bodies: Record<string, { method: string; path: string; json: Record<string, unknown> }> = {
  send: { method: 'POST', path: '/api/v1/emails', json: { to: ['a@b.example'], subject: 's', text: 't' } },
  workspace: { method: 'PATCH', path: '/api/v1/workspace', json: {} },
}

/** The contract's fields that do nothing yet, with values that ask for something and values that ask for nothing. */
const fields: [body: string, field: string, refused: unknown[], accepted: unknown[]][] = [
  ['send', 'topic', ['news', '', 5, ['news']], [null]],
]

// These fields were unknown, or stored without any effect.
describe('retention', () => {
  const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1' }
  for (const name of ['send', 'workspace']) {
    const body = bodies[name] ?? assert.fail(name)
    for (const retention of ['none', 'metadata', 7, '7', null])
      it(`of a ${name} may be ${JSON.stringify(retention)}`, async () => {
        await using gateway = await testGateway(fakes)
        const answer = await gateway.call({ ...body, headers, json: { ...body.json, retention } })
        assert.ok(answer.status < 300, answer.text)
      })
    for (const retention of [0, -1, 1.5, '0', '', 'forever', true, [7], { days: 7 }])
      it(`of a ${name} is refused: ${JSON.stringify(retention)}`, async () => {
        await using gateway = await testGateway(fakes)
        const answer = await gateway.call({ ...body, headers, json: { ...body.json, retention } })
        assert.ok([400, 422].includes(answer.status), answer.text)
        assert.equal(answer.body.errors?.[0]?.path, 'retention')
      })
  }
})

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
    const json = { topic: 'news', retention: 0, to: ['nonsense'], text: 't', subject: 's' }
    const { body } = await gateway.call({ path: '/api/v1/emails', headers, json })
    const found = body.errors?.map(({ path, code }) => `${path} ${code}`).sort()
    assert.deepEqual(found, ['retention invalid_value', 'to[0] invalid_address', 'topic not_supported'])
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
