import assert from 'node:assert/strict'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { credentials, hourMs, testRig } from './testRig.ts'

const problemsOf = async (work: Promise<unknown>): Promise<[string, string][]> => {
  const thrown = await work.then(
    () => assert.fail('nothing was refused'),
    (reason: unknown) => reason,
  )
  assert(thrown instanceof Fault && thrown.code === 'validation_failed')
  return thrown.problems.map(({ path, code }) => [path, code])
}

describe('sign-up', () => {
  it('makes an owner with a workspace on Free, logged in at once', async () => {
    const { service } = testRig()
    const { token, csrf_token, email, caller } = await service.SignUp(credentials)
    assert.match(token, /^[A-Za-z0-9_-]{43}$/)
    assert.notEqual(csrf_token, '')
    assert.equal(email, 'ada@example.com')
    assert.equal(caller?.role, 'owner')
    assert.equal(caller.mode, 'live')
    assert.deepEqual(caller.scopes, scopes)
    const workspace = await service.GetWorkspace({ workspace: caller.workspace })
    assert.deepEqual([workspace.name, workspace.plan], ['Acme', 'free'])
    assert.equal((await service.AuthenticateSession({ token })).caller?.user_id, caller.user_id)
  })

  it('knows an address in any case and with any spaces around it as the same', async () => {
    const { service } = testRig()
    await service.SignUp(credentials)
    await assert.rejects(service.SignUp({ ...credentials, email: ' ADA@Example.COM ' }), { code: 'conflict' })
  })

  it('names every problem at once', async () => {
    const { service } = testRig()
    const refused = service.SignUp({ ...credentials, email: 'not an address', password: 'short', workspace_name: ' ' })
    assert.deepEqual(await problemsOf(refused), [
      ['email', 'invalid_address'],
      ['password', 'too_short'],
      ['workspace_name', 'empty'],
    ])
  })

  it('takes passwords of 8 to 256 characters, counted as people count', async () => {
    const { service } = testRig()
    const withPassword = (password: string) => service.SignUp({ ...credentials, password })
    assert.deepEqual(await problemsOf(withPassword('🔑'.repeat(7))), [['password', 'too_short']])
    assert.deepEqual(await problemsOf(withPassword('x'.repeat(257))), [['password', 'too_long']])
    await withPassword('🔑'.repeat(8))
  })

  it('refuses an address with a name, and a workspace name that turns the text around', async () => {
    const { service } = testRig()
    assert.deepEqual(await problemsOf(service.SignUp({ ...credentials, email: 'Ada <ada@example.com>' })), [
      ['email', 'invalid_address'],
    ])
    assert.deepEqual(await problemsOf(service.SignUp({ ...credentials, workspace_name: 'a\u202Eb' })), [
      ['workspace_name', 'control_character'],
    ])
  })

  for (const signup of ['invite', 'off'] as const)
    it(`that is ${signup} is refused with a sentence`, () =>
      assert.rejects(testRig({ signup }).service.SignUp(credentials), {
        code: 'forbidden',
        message: 'Sign-up is closed here; ask who runs this service.',
      }))

  it('is limited to ten at once and thirty an hour for a client address, refused ones too', async () => {
    const { service, advance } = testRig()
    const attempt = (n: number, client_address = '203.0.113.9') =>
      service.SignUp({ ...credentials, email: `user${n}@example.com`, client_address })
    for (let n = 0; n < 9; n++) await attempt(n)
    await assert.rejects(attempt(0), { code: 'conflict' })
    await assert.rejects(attempt(10), { code: 'rate_limited', retryAfterMs: 120_000 })
    await attempt(11, '203.0.113.10')
    advance(hourMs / 30)
    await attempt(12)
  })

  it('is written to the audit log without the address', async () => {
    const { service, audit } = testRig()
    const { caller } = await service.SignUp(credentials)
    assert.deepEqual(
      audit.entries.map(({ action, actor, workspace }) => [action, actor, workspace]),
      [
        ['workspace.create', caller?.user_id, caller?.workspace],
        ['session.open', caller?.user_id, caller?.workspace],
      ],
    )
    const written = JSON.stringify(audit.entries)
    for (const secret of [credentials.email, credentials.password, credentials.client_address])
      assert(!written.includes(secret))
  })
})
