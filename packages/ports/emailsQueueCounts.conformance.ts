import assert from 'node:assert/strict'
import type { EmailStore } from './emails.ts'
import { claimOne, content, email, leaseMs, type Open, recipient } from './emailsFixtures.conformance.ts'
import { parkDue } from './emailsParking.conformance.ts'

export const queueCounts = (open: Open): void => {
  const scheduled = { recipients: [recipient({ status: 'scheduled', nextAt: 9_000 })], scheduledAt: 9_000 }
  const final = [recipient({ status: 'delivered', nextAt: null })]
  const counted = async (emails: EmailStore): Promise<string[]> =>
    (await emails.queueCounts())
      .map(({ workspace, lane, kind, emails, bytes }) => `${workspace} ${lane} ${kind} ${emails} ${bytes}`)
      .sort()

  it('are by workspace, lane and kind, with the size of the messages', async () => {
    const emails = await open()
    assert.deepEqual(await counted(emails), [])
    for (const over of [
      { messageBytes: 100 },
      { messageBytes: 10 },
      { messageBytes: 7, ...scheduled },
      { messageBytes: 5, mode: 'test' as const },
      { messageBytes: 4, mode: 'test' as const, ...scheduled },
      { messageBytes: 3, category: 'marketing' as const },
      { workspace: 'ws_2', messageBytes: 2 },
      { workspace: 'ws_2' },
      { recipients: [recipient({ status: 'suppressed', nextAt: null })] },
    ])
      await emails.insert(email(over), content)
    assert.deepEqual(await counted(emails), [
      'ws_1 marketing due 1 3',
      'ws_1 transactional due 2 110',
      'ws_1 transactional scheduled 1 7',
      'ws_1 transactional test 2 9',
      'ws_2 transactional due 2 2',
    ])
  })

  it('are in stored bytes where an email has them', async () => {
    const emails = await open()
    const test = { mode: 'test' as const }
    await emails.insert(email({ ...test, messageBytes: 9_100, storedBytes: 700 }), content)
    const kept = email({ ...test, messageBytes: 9_100, storedBytes: 30 })
    await emails.insert(kept, content)
    const former = email({ ...test, messageBytes: 5_000 })
    await emails.insert(former, content)
    assert.deepEqual(await counted(emails), ['ws_1 transactional test 3 5730'])
    for (const one of [kept, former]) {
      const canceled = { ...one, recipients: [recipient({ status: 'canceled', nextAt: null })] }
      await emails.change(one.id, 0, 1_000, { email: canceled, nextAt: null })
    }
    assert.deepEqual(await counted(emails), ['ws_1 transactional test 1 700'])
  })

  it('follow an email from its schedule over its attempts to its end', async () => {
    const emails = await open()
    const kept = email({ messageBytes: 7, ...scheduled })
    await emails.insert(kept, content)
    await emails.insert(kept, content)
    assert.deepEqual(await counted(emails), ['ws_1 transactional scheduled 1 7'])
    const { id, fence } = await claimOne(emails, 9_000)
    assert.deepEqual(await counted(emails), ['ws_1 transactional scheduled 1 7'])
    const sending = { ...kept, recipients: [recipient({ status: 'sending', nextAt: 9_000 })] }
    await emails.write(id, fence, { email: sending, nextAt: 9_000, done: false })
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 7'])
    const deferred = { ...kept, recipients: [recipient({ status: 'deferred', nextAt: 10_000 })] }
    await emails.write(id, fence, { email: deferred, nextAt: 10_000, done: true })
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 7'])
    const again = await claimOne(emails, 10_000)
    const delivered = { ...kept, recipients: final }
    await emails.write(again.id, again.fence, { email: delivered, nextAt: null, done: true })
    assert.deepEqual(await counted(emails), [])
  })

  it('do not contain canceled mail and contain mail that waits again', async () => {
    const emails = await open()
    const kept = email({ messageBytes: 7 })
    await emails.insert(kept, content)
    const canceled = { ...kept, recipients: [recipient({ status: 'canceled', nextAt: null })] }
    assert.equal(await emails.change(kept.id, 0, 1_000, { email: canceled, nextAt: null }), true)
    assert.deepEqual(await counted(emails), [])
    const deferred = { ...kept, recipients: [recipient({ status: 'deferred', nextAt: 2_000 })] }
    assert.equal(await emails.change(kept.id, 1, 1_000, { email: deferred, nextAt: 2_000 }), true)
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 7'])
  })

  it('contain mail that is set aside, and mail whose lease was released or ended', async () => {
    const emails = await open()
    for (const workspace of ['ws_1', 'ws_2']) await emails.insert(email({ workspace, messageBytes: 7 }), content)
    const both = ['ws_1 transactional due 1 7', 'ws_2 transactional due 1 7']
    const [aside] = await emails.dueOf(['ws_1'], 1_000, 10)
    assert.ok(aside)
    const { fence } = aside
    await emails.suspend([{ id: aside.email.id, workspace: 'ws_1', fence, until: 50_000 }], 1_000)
    assert.deepEqual(await counted(emails), both)
    await emails.releaseLeases([await claimOne(emails, 1_000)])
    await claimOne(emails, 1_000)
    await claimOne(emails, 1_000 + leaseMs)
    assert.deepEqual(await counted(emails), both)
    await emails.resume({ except: new Set(), limit: 10 })
    assert.deepEqual(await counted(emails), both)
  })

  it('do not contain parked mail until it is due again', async () => {
    const emails = await open()
    const kept = email({ messageBytes: 7 })
    await emails.insert(kept, content)
    await parkDue(emails, 1_000)
    assert.deepEqual(await counted(emails), [])
    await emails.insert(email({ messageBytes: 5 }), content)
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 5'])
    const fence = (await emails.get(kept.id))?.fence ?? -1
    await emails.change(kept.id, fence, 2_000, { email: kept, nextAt: 1_000, resetsDeaths: true })
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 2 12'])
  })

  it('do not change with a write that is refused', async () => {
    const emails = await open()
    const kept = email({ messageBytes: 7 })
    await emails.insert(kept, content)
    const { id, fence } = await claimOne(emails, 1_000)
    const delivered = { email: { ...kept, recipients: final }, nextAt: null }
    assert.equal(await emails.write(id, fence - 1, { ...delivered, done: true }), false)
    assert.equal(await emails.change(id, fence, 1_000, delivered), false)
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 7'])
  })

  it('leave an email out once when several writes report that it no longer waits', async () => {
    const emails = await open()
    const kept = email({ messageBytes: 7 })
    await emails.insert(kept, content)
    await emails.insert(email({ messageBytes: 5, recipients: [recipient({ nextAt: 5_000 })] }), content)
    const { id, fence } = await claimOne(emails, 1_000)
    const delivered = { email: { ...kept, recipients: final }, nextAt: null }
    for (const done of [false, true]) {
      assert.equal(await emails.write(id, fence, { ...delivered, done }), true)
      assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 5'])
    }
  })
}
