import assert from 'node:assert/strict'
import { hashApiKey, parseApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { ensureFirstWorkspace } from './firstWorkspace.ts'
import { credentials, testRig } from './testRig.ts'

describe('the first start', () => {
  it('makes a workspace, an owner who can log in, and a test key; the second start makes nothing', async () => {
    const { service, options } = testRig()
    const first = (await ensureFirstWorkspace(options)) ?? assert.fail('nothing was made')
    const { ownerEmail: email, password, testKey } = first
    const { caller } = await service.LogIn({ email, password, client_address: '127.0.0.1' })
    assert.equal(caller?.role, 'owner')
    assert.equal((await service.GetWorkspace({ workspace: caller.workspace })).name, 'My workspace')
    assert.deepEqual(parseApiKey(testKey), { mode: 'test' })
    const key = await service.AuthenticateKey({ hash: hashApiKey(testKey), client_address: '127.0.0.1' })
    assert.deepEqual([key.workspace, key.mode], [caller.workspace, 'test'])
    assert.equal(await ensureFirstWorkspace(options), null)
  })

  it('makes nothing where somebody signed up already', async () => {
    const { service, options } = testRig()
    await service.SignUp(credentials)
    assert.equal(await ensureFirstWorkspace(options), null)
  })

  it('works where nobody may sign up', async () => {
    assert.notEqual(await ensureFirstWorkspace(testRig({ signup: 'off' }).options), null)
  })
})
