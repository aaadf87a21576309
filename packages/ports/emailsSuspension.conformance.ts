import assert from 'node:assert/strict'
import type { Email } from '@postrider/domain/email/email.ts'
import type { EmailStore } from './emails.ts'
import {
  claimAt,
  claimOne,
  content,
  email,
  idsIn,
  leaseMs,
  type Open,
  recipient,
} from './emailsFixtures.conformance.ts'

export const suspendedMail = (open: Open): void => {
  const none: ReadonlySet<string> = new Set()
  const insertOf = async (emails: EmailStore, workspace: string, over: Partial<Email> = {}): Promise<Email> => {
    const one = email({ workspace, ...over })
    await emails.insert(one, content)
    return one
  }
  const setAside = async (emails: EmailStore, workspace: string, now = 1_000, until = 50_000) => {
    const due = await emails.dueOf([workspace], now, 10)
    const mail = due.map((stored) => ({ id: stored.email.id, workspace, fence: stored.fence, until }))
    return emails.suspend(mail, now)
  }

  it('is not claimed by a scan that excludes the workspace, however much of it is older', async () => {
    const emails = await open()
    for (let count = 0; count < 5; count++) await insertOf(emails, 'ws_1')
    const [first, second] = [await insertOf(emails, 'ws_2'), await insertOf(emails, 'ws_2')]
    const query = { lane: 'transactional', now: 1_000, leaseMs, except: new Set(['ws_1']) } as const
    assert.deepEqual(idsIn(await emails.claim({ ...query, limit: 1 })), [first.id])
    assert.deepEqual(idsIn(await emails.claim({ ...query, limit: 10 })), [second.id])
    assert.deepEqual(await emails.claim({ ...query, limit: 3 }), [])
    assert.equal((await claimAt(emails, 1_000)).length, 5)
  })

  it('is not due before its time and keeps its record while it is set aside', async () => {
    const emails = await open()
    const kept = await insertOf(emails, 'ws_1')
    await insertOf(emails, 'ws_1', { category: 'marketing' })
    await insertOf(emails, 'ws_1', { recipients: [recipient({ nextAt: 2_000 })] })
    assert.equal(await setAside(emails, 'ws_1'), 2)
    assert.deepEqual((await emails.get(kept.id))?.email, kept)
    assert.deepEqual(await claimAt(emails, 1_000), [])
    assert.equal(await emails.nextDue('transactional'), 2_000)
    assert.equal(await emails.nextDue('marketing'), 50_000)
    assert.deepEqual(
      (await emails.backlog(1_000)).map(({ due }) => due),
      [0, 0],
    )
    assert.equal((await claimAt(emails, 50_000)).length, 2)
  })

  it('is resumed with its own time, except that of workspaces that are still suspended', async () => {
    const emails = await open()
    const mine = await insertOf(emails, 'ws_1')
    const other = await insertOf(emails, 'ws_2')
    for (const workspace of ['ws_1', 'ws_2']) assert.equal(await setAside(emails, workspace), 1)
    assert.equal(await emails.resume({ except: new Set(['ws_1', 'ws_2']), limit: 10 }), 0)
    assert.equal(await emails.resume({ except: new Set(['ws_1']), limit: 10 }), 1)
    assert.deepEqual(idsIn(await claimAt(emails, 1_000)), [other.id])
    assert.equal(await emails.resume({ except: none, limit: 10 }), 1)
    assert.equal(await emails.resume({ except: none, limit: 10 }), 0)
    assert.deepEqual(idsIn(await claimAt(emails, 1_000)), [mine.id])
  })

  it('mail of a suspended workspace is resumed in batches', async () => {
    const emails = await open()
    for (let count = 0; count < 3; count++) await insertOf(emails, 'ws_1')
    await insertOf(emails, 'ws_2')
    for (const workspace of ['ws_1', 'ws_2']) await setAside(emails, workspace)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 2)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 2)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 0)
    assert.equal((await claimAt(emails, 1_000)).length, 4)
  })

  it('is not set aside while it is leased, and is when its lease has ended, as a death', async () => {
    const emails = await open()
    const { id } = await insertOf(emails, 'ws_1')
    const { fence } = await claimOne(emails, 1_000)
    assert.equal(await emails.suspend([{ id, workspace: 'ws_1', fence, until: 50_000 }], 1_000), 0)
    assert.deepEqual(await emails.dueOf(['ws_1', 'ws_2'], 1_000, 10), [])
    assert.equal(await setAside(emails, 'ws_1', 1_000 + leaseMs), 1)
    const stored = await emails.get(id)
    assert.deepEqual([stored?.leaseUntil, stored?.deaths], [null, 1])
    assert.equal(await emails.write(id, fence, { email: email({ id }), nextAt: null, done: true }), false)
  })

  it('is not set aside by a decision that is older than another change', async () => {
    const emails = await open()
    const kept = await insertOf(emails, 'ws_1')
    const canceled = { ...kept, recipients: [recipient({ status: 'canceled', nextAt: null })] }
    assert.equal(await emails.change(kept.id, 0, 1_000, { email: canceled, nextAt: null }), true)
    assert.equal(await emails.suspend([{ id: kept.id, workspace: 'ws_1', fence: 0, until: 50_000 }], 1_000), 0)
    assert.equal(await emails.nextDue('transactional'), null)
  })

  it('can be canceled, and is not due again when its workspace is resumed', async () => {
    const emails = await open()
    const kept = await insertOf(emails, 'ws_1')
    await setAside(emails, 'ws_1')
    const fence = (await emails.get(kept.id))?.fence ?? -1
    const canceled = { ...kept, recipients: [recipient({ status: 'canceled', nextAt: null })] }
    assert.equal(await emails.change(kept.id, fence, 1_000, { email: canceled, nextAt: null }), true)
    await emails.resume({ except: none, limit: 10 })
    assert.equal(await emails.nextDue('transactional'), null)
    assert.equal(await emails.resume({ except: none, limit: 10 }), 0)
  })

  // Regression: SQLite replaced the time of leased mail. A worker that died left it without one.
  it('is not changed while it is leased, and is resumed with the time that its worker wrote', async () => {
    const emails = await open()
    await insertOf(emails, 'ws_1')
    await setAside(emails, 'ws_1')
    const { id, fence, email: claimed } = await claimOne(emails, 50_000)
    const times = async () => {
      const stored = await emails.get(id)
      return [stored?.nextAt, stored?.leaseUntil, stored?.fence]
    }
    const sent = { ...claimed, recipients: [recipient({ status: 'sending', nextAt: null })] }
    assert.equal(await emails.write(id, fence, { email: sent, nextAt: 50_000, done: false }), true)
    await emails.resume({ except: none, limit: 10 })
    assert.deepEqual(await times(), [50_000, 50_000 + leaseMs, fence])
    const later = { ...claimed, recipients: [recipient({ status: 'deferred', nextAt: 70_000 })] }
    assert.equal(await emails.write(id, fence, { email: later, nextAt: 70_000, done: true }), true)
    assert.equal(await emails.resume({ except: none, limit: 10 }), 1)
    assert.deepEqual(await times(), [70_000, null, fence + 1])
    assert.equal(await emails.resume({ except: none, limit: 10 }), 0)
  })

  // Regression: a call found the leased mail again and again, up to its limit, until the leases ended.
  it('is resumed even if as much mail as the limit is leased before it', async () => {
    const emails = await open()
    for (let count = 0; count < 3; count++) await insertOf(emails, 'ws_1')
    const other = await insertOf(emails, 'ws_2')
    assert.equal(await setAside(emails, 'ws_1'), 3)
    assert.equal(await setAside(emails, 'ws_2', 1_000, 60_000), 1)
    const leased = await claimAt(emails, 50_000, 2)
    assert.equal(leased.length, 2)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 2)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 0)
    const due = idsIn(await claimAt(emails, 1_000))
    assert.equal(due.length, 2)
    assert.ok(due.includes(other.id) && !leased.some(({ email: { id } }) => due.includes(id)))
  })

  it('is resumed with a new fencing token, so that an older decision does not set it aside', async () => {
    const emails = await open()
    const { id } = await insertOf(emails, 'ws_1')
    await setAside(emails, 'ws_1')
    const fence = (await emails.get(id))?.fence ?? -1
    await emails.resume({ except: none, limit: 10 })
    assert.equal(await emails.suspend([{ id, workspace: 'ws_1', fence, until: 50_000 }], 1_000), 0)
    assert.equal(await emails.nextDue('transactional'), 1_000)
  })
}
