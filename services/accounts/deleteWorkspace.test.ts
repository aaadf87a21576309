import assert from 'node:assert/strict'
import { isoTime } from '@postrider/domain/time.ts'
import { testRig } from './testRig.ts'

const dayMs = 86_400_000

describe('deletion of a workspace by its owner', () => {
  it('is scheduled once, has one entry of the owner, and one email to each owner', async () => {
    const { service, owner, audit, mails, now, advance, password } = testRig()
    const { workspace, user } = await owner()
    const request = { workspace, user, password, client_address: '203.0.113.9' }
    const before = mails.sent.length
    const { deletes_at: at, suspended } = await service.DeleteOwnWorkspace(request)
    assert.deepEqual([at, suspended], [now() + 7 * dayMs, true])
    advance(1_000)
    assert.equal((await service.DeleteOwnWorkspace(request)).deletes_at, at)
    await mails.idle()
    const sent = mails.sent.slice(before)
    assert.deepEqual(
      sent.map(({ to, subject }) => [to, subject]),
      [['ada@example.com', 'A workspace will be deleted']],
    )
    assert.match(sent[0]?.text ?? '', new RegExp(`${workspace}.*${isoTime(now() - 1_000 + 7 * dayMs)}`))
    const entries = audit.entries.filter(({ action }) => action === 'workspace.delete')
    assert.deepEqual(
      entries.map(({ actor, clientAddress }) => [actor, clientAddress]),
      [[user, '203.0.113.9']],
    )
  })

  it('is refused without the password, and to a person who is not an owner', async () => {
    const { service, owner, password } = testRig()
    const { workspace, user } = await owner()
    const stranger = await owner('bob@example.com')
    const request = { workspace, user, password, client_address: '' }
    await assert.rejects(service.DeleteOwnWorkspace({ ...request, password: 'x' }), { code: 'validation_failed' })
    await assert.rejects(service.DeleteOwnWorkspace({ ...request, user: stranger.user }), { code: 'forbidden' })
    assert.equal((await service.GetWorkspace({ workspace })).deletes_at, null)
  })

  // Regression: the response was a 500 with the detail "A message has no user."
  it('is refused if the user is deleted at the same time', async () => {
    const { service, owner, password, store } = testRig()
    const { workspace, user } = await owner()
    store.user = async () => null
    const request = { workspace, user, password, client_address: '' }
    await assert.rejects(service.DeleteOwnWorkspace(request), { code: 'unauthenticated' })
  })
})
