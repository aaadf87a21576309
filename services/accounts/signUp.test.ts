import assert from 'node:assert/strict'
import { hashApiKey, parseApiKey, scopes } from '@postrider/domain/accounts/apiKey.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { credentials, hourMs, testRig } from './testRig.ts'

const problemsOf = async (work: Promise<unknown>): Promise<[string, string][]> => {
  const thrown = await work.then(
    () => assert.fail('the request was accepted'),
    (reason: unknown) => reason,
  )
  assert(thrown instanceof Fault && thrown.code === 'validation_failed')
  return thrown.problems.map(({ path, code }) => [path, code])
}

describe('sign-up', () => {
  it('creates an owner with a workspace on the free plan and opens a session', async () => {
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
    assert.equal((await service.AuthenticateSession({ token })).caller?.userId, caller.userId)
  })

  for (const plan of ['free', 'pro', 'unlimited'] as const)
    it(`gives new workspaces the default plan: ${plan}`, async () => {
      const { service, plans, ensureFirstWorkspace } = testRig({ defaultPlan: plan })
      await ensureFirstWorkspace()
      await service.SignUp(credentials)
      const { workspaces } = await service.ListWorkspaces({ query: '', plan: '', before: '', limit: 0 })
      assert.deepEqual(
        workspaces.map((workspace) => workspace.plan),
        [plan, plan],
      )
      // The ledger gives a workspace without an allowance the free plan.
      const expected =
        plan === 'free' ? [] : workspaces.map(({ id, created_at }) => [id, { plan, since: created_at }]).toReversed()
      assert.deepEqual(plans, expected)
    })

  it('creates no workspace if the ledger cannot store its plan', async () => {
    const away = () => Promise.reject(new Fault('unavailable', 'The ledger is unavailable.'))
    const { service } = testRig({
      defaultPlan: 'pro',
      ledger: { setAllowance: away, deleteAllowance: away, allowance: away },
    })
    await assert.rejects(service.SignUp(credentials), { code: 'unavailable' })
    assert.deepEqual((await service.ListWorkspaces({ query: '', plan: '', before: '', limit: 0 })).workspaces, [])
  })

  // Of two sign-ups at the same time, as after a double click, the second left a plan that no workspace used.
  it('leaves no plan of a sign-up that lost to another one with the same address', async () => {
    const { service, plans } = testRig({ defaultPlan: 'unlimited' })
    const signUps = await Promise.allSettled([service.SignUp(credentials), service.SignUp(credentials)])
    assert.deepEqual(signUps.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const { workspaces } = await service.ListWorkspaces({ query: '', plan: '', before: '', limit: 0 })
    assert.deepEqual(
      plans,
      workspaces.map(({ id, created_at }) => [id, { plan: 'unlimited', since: created_at }]),
    )
  })

  it('treats an address in another case or with spaces around it as the same', async () => {
    const { service } = testRig()
    await service.SignUp(credentials)
    await assert.rejects(service.SignUp({ ...credentials, email: ' ADA@Example.COM ' }), { code: 'conflict' })
  })

  it('reports every problem together', async () => {
    const { service } = testRig()
    const refused = service.SignUp({ ...credentials, email: 'not an address', password: 'short', workspace_name: ' ' })
    assert.deepEqual(await problemsOf(refused), [
      ['email', 'invalid_address'],
      ['password', 'too_short'],
      ['workspace_name', 'empty'],
    ])
  })

  it('accepts passwords of 8 to 256 characters, counted as code points', async () => {
    const { service } = testRig()
    const withPassword = (password: string) => service.SignUp({ ...credentials, password })
    assert.deepEqual(await problemsOf(withPassword('🔑'.repeat(7))), [['password', 'too_short']])
    assert.deepEqual(await problemsOf(withPassword('x'.repeat(257))), [['password', 'too_long']])
    await withPassword('🔑'.repeat(8))
  })

  it('rejects an address with a display name and a workspace name with a bidi character', async () => {
    const { service } = testRig()
    assert.deepEqual(await problemsOf(service.SignUp({ ...credentials, email: 'Ada <ada@example.com>' })), [
      ['email', 'invalid_address'],
    ])
    assert.deepEqual(await problemsOf(service.SignUp({ ...credentials, workspace_name: 'a\u202Eb' })), [
      ['workspace_name', 'control_character'],
    ])
  })

  const closed: ['invite' | 'off', message: string][] = [
    ['invite', 'This service accepts invited people only; ask an owner or admin of a workspace for an invitation.'],
    ['off', 'Sign-up is closed on this service; ask its operator for an account.'],
  ]
  for (const [signup, message] of closed)
    it(`is rejected with an explanation while POSTRIDER_SIGNUP is ${signup}`, () =>
      assert.rejects(testRig({ signup }).service.SignUp(credentials), {
        code: 'forbidden',
        message,
      }))

  it('allows a burst of ten and thirty an hour for each client address, refused ones included', async () => {
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

  it('is recorded in the audit log with the address of the client, without secrets', async () => {
    const { service, audit } = testRig()
    const { caller } = await service.SignUp(credentials)
    const who = [caller?.userId, caller?.workspace, credentials.client_address]
    assert.deepEqual(
      audit.entries.map(({ action, actor, workspace, clientAddress, after }) => [
        action,
        actor,
        workspace,
        clientAddress,
        after,
      ]),
      [
        ['workspace.create', ...who, { name: 'Acme', plan: 'free' }],
        ['session.open', ...who, null],
      ],
    )
    const written = JSON.stringify(audit.entries)
    for (const secret of [credentials.email, credentials.password]) assert(!written.includes(secret))
  })
})

describe('first workspace', () => {
  it('is created once, with an owner who can log in and a test key', async () => {
    const { service, ensureFirstWorkspace } = testRig()
    const first = (await ensureFirstWorkspace()) ?? assert.fail('no workspace was created')
    const { ownerEmail: email, password, testKey } = first
    const { caller } = await service.LogIn({ email, password, client_address: '127.0.0.1' })
    assert.equal(caller?.role, 'owner')
    assert.equal((await service.GetWorkspace({ workspace: caller.workspace })).name, 'My workspace')
    assert.deepEqual(parseApiKey(testKey), { mode: 'test' })
    const key = await service.AuthenticateKey({ hash: hashApiKey(testKey), client_address: '127.0.0.1' })
    assert.deepEqual([key.workspace, key.mode], [caller.workspace, 'test'])
    assert.equal(await ensureFirstWorkspace(), null)
  })

  it('is not created after a sign-up', async () => {
    const { service, ensureFirstWorkspace } = testRig()
    await service.SignUp(credentials)
    assert.equal(await ensureFirstWorkspace(), null)
  })

  it('is created while sign-up is off', async () => {
    assert.notEqual(await testRig({ signup: 'off' }).ensureFirstWorkspace(), null)
  })
})
