import assert from 'node:assert/strict'
import type { CapturedMail, MailboxStore } from './mailbox.ts'

const captured = (over: Partial<CapturedMail> = {}): CapturedMail => ({
  attemptId: 'att_1',
  emailId: 'em_1',
  workspace: 'ws_1',
  mode: 'live',
  at: 1_000,
  from: 'mail@postrider.example',
  to: ['ann@example.com', 'bob@example.com'],
  ...over,
})

/** Declares the tests that every mailbox store must pass. */
export const mailboxConformance = (adapter: string, open: () => MailboxStore | Promise<MailboxStore>) =>
  describe(`mailbox store in ${adapter}`, () => {
    it('returns captured mail as it was stored', async () => {
      const mailbox = await open()
      await mailbox.put(captured())
      assert.deepEqual(await mailbox.get('att_1'), captured())
      assert.equal(await mailbox.get('att_2'), null)
    })

    it('stores an attempt once', async () => {
      const mailbox = await open()
      await mailbox.put(captured())
      await mailbox.put(captured({ at: 2_000 }))
      assert.deepEqual(await mailbox.list({ workspace: null, before: null, limit: 10 }), [captured()])
    })

    it('lists one workspace or all in pages, newest first', async () => {
      const mailbox = await open()
      for (let number = 1; number <= 4; number++) {
        await mailbox.put(captured({ attemptId: `att_${number}`, workspace: number === 3 ? 'ws_2' : 'ws_1' }))
      }
      const ids = async (workspace: string | null, before: string | null, limit: number) =>
        (await mailbox.list({ workspace, before, limit })).map(({ attemptId }) => attemptId)
      assert.deepEqual(await ids(null, null, 2), ['att_4', 'att_3'])
      assert.deepEqual(await ids(null, 'att_3', 10), ['att_2', 'att_1'])
      assert.deepEqual(await ids('ws_1', null, 10), ['att_4', 'att_2', 'att_1'])
      assert.deepEqual(await ids('ws_1', 'att_4', 1), ['att_2'])
      assert.deepEqual(await ids('ws_2', null, 10), ['att_3'])
    })

    // Regression: after the removal of the mail at its position, a list in SQLite began with the newest mail again.
    it('continues a list after mail that was removed, in the order of attempts', async () => {
      const mailbox = await open()
      for (const number of [2, 1, 5, 3, 4]) await mailbox.put(captured({ attemptId: `att_${number}` }))
      await mailbox.remove(['att_3'])
      for (const workspace of ['ws_1', null]) {
        const ids = async (before: string | null, limit: number) =>
          (await mailbox.list({ workspace, before, limit })).map(({ attemptId }) => attemptId)
        assert.deepEqual(await ids(null, 10), ['att_5', 'att_4', 'att_2', 'att_1'])
        assert.deepEqual(await ids('att_3', 2), ['att_2', 'att_1'])
        assert.deepEqual(await ids('att_1', 2), [])
      }
    })
  })
