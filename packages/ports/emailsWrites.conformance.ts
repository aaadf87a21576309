import assert from 'node:assert/strict'
import { afterChange } from '@postrider/domain/email/changes.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import {
  claimAt,
  claimOne,
  content,
  email,
  everything,
  leaseMs,
  type Open,
  recipient,
} from './emailsFixtures.conformance.ts'

export const inserts = (open: Open): void => {
  it('returns an email and its content as they were inserted', async () => {
    const emails = await open()
    const kept = email()
    assert.equal(await emails.insert(kept, content), 'inserted')
    const stored = { email: kept, nextAt: 1_000, leaseUntil: null, fence: 0, deaths: 0 }
    assert.deepEqual(await emails.get(kept.id), stored)
    assert.deepEqual(await emails.content(kept.id), content)
  })

  it('ignores a second insert of the same id', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    assert.equal(await emails.insert({ ...kept, subject: 'Another' }, { ...content, attachments: [] }), 'exists')
    assert.equal((await emails.get(kept.id))?.email.subject, kept.subject)
    assert.equal((await emails.content(kept.id))?.attachments.length, 2)
  })

  it('never inserts an email under a tombstoned id', async () => {
    const emails = await open()
    const late = email()
    assert.equal(await emails.tombstone(late.id), true)
    assert.equal(await emails.tombstone(late.id), true)
    assert.equal(await emails.insert(late, content), 'void')
    assert.equal(await emails.get(late.id), null)
    assert.equal(await emails.content(late.id), null)
    assert.deepEqual(await emails.list(everything), { emails: [], hasMore: false })
    assert.equal(await emails.nextDue('transactional'), null)
  })

  it('does not tombstone the id of an email', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    assert.equal(await emails.tombstone(kept.id), false)
    assert.deepEqual((await emails.get(kept.id))?.email, kept)
  })

  it('lists an email with a pending refund until it is refunded', async () => {
    const emails = await open()
    const owing = email({ owed: [0] })
    await emails.insert(owing, content)
    await emails.insert(email(), content)
    assert.deepEqual(
      (await emails.pendingRefunds(10)).map((stored) => stored.email.id),
      [owing.id],
    )
    await emails.change(owing.id, 0, 1_000, { email: { ...owing, owed: [] }, nextAt: null })
    assert.deepEqual(await emails.pendingRefunds(10), [])
  })
}

export const writes = (open: Open): void => {
  it('lets a holder write with the fencing token and ends the lease with the last write', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const leased = await claimOne(emails, 1_000)
    const begun = { ...leased.email, notices: ['begun'] }
    assert.equal(await emails.write(leased.id, leased.fence, { email: begun, nextAt: 1_000, done: false }), true)
    assert.equal((await emails.get(leased.id))?.leaseUntil, 1_000 + leaseMs)
    const done = { ...begun, notices: ['done'] }
    assert.equal(await emails.write(leased.id, leased.fence, { email: done, nextAt: 7_000, done: true }), true)
    const stored = { email: done, nextAt: 7_000, leaseUntil: null, fence: leased.fence, deaths: 0 }
    assert.deepEqual(await emails.get(leased.id), stored)
    assert.deepEqual(await claimAt(emails, 6_999), [])
    assert.equal((await claimOne(emails, 7_000)).id, leased.id)
  })

  it('returns the stored email to a holder whose write had no response, until another holder has it', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const leased = await claimOne(emails, 1_000)
    assert.deepEqual((await emails.lastWrite(leased.id, leased.fence))?.email, leased.email)
    const after = { ...leased.email, notices: ['begun'] }
    await emails.write(leased.id, leased.fence, { email: after, nextAt: 1_000, done: false })
    assert.deepEqual((await emails.lastWrite(leased.id, leased.fence))?.email, after)
    await emails.write(leased.id, leased.fence, { email: after, nextAt: 2_000, done: true })
    assert.deepEqual((await emails.lastWrite(leased.id, leased.fence))?.email, after)
    const taker = await claimOne(emails, 2_000)
    assert.equal(await emails.lastWrite(leased.id, leased.fence), null)
    assert.deepEqual((await emails.lastWrite(taker.id, taker.fence))?.email, after)
    assert.equal(await emails.lastWrite(newId('em'), 0), null)
    await emails.tombstone('em_void')
    assert.equal(await emails.lastWrite('em_void', 0), null)
  })

  it('never claims final mail again', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const { id, fence, email: claimed } = await claimOne(emails, 1_000)
    await emails.write(id, fence, { email: claimed, nextAt: null, done: true })
    assert.deepEqual(await claimAt(emails, 1e12), [])
    assert.equal(await emails.nextDue('transactional'), null)
  })

  it('refuses writes, renewals and releases after another worker took over the lease', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const old = await claimOne(emails, 1_000)
    const taker = await claimOne(emails, 1_000 + leaseMs)
    const change = { email: { ...old.email, notices: ['late'] }, nextAt: null, done: true }
    assert.equal(await emails.write(old.id, old.fence, change), false)
    assert.deepEqual(await emails.renew([old], 90_000), new Set())
    await emails.releaseLeases([old])
    const stored = await emails.get(old.id)
    assert.equal(stored?.leaseUntil, 1_000 + 2 * leaseMs)
    assert.equal(stored?.fence, taker.fence)
    assert.deepEqual(stored?.email.notices, [])
  })

  it('refuses a write after the holder ended its lease', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const { id, fence, email: claimed } = await claimOne(emails, 1_000)
    await emails.write(id, fence, { email: claimed, nextAt: 2_000, done: true })
    const again = { email: { ...claimed, notices: ['again'] }, nextAt: null, done: true }
    assert.equal(await emails.write(id, fence, again), false)
    assert.equal((await emails.get(id))?.nextAt, 2_000)
  })

  it('renews every lease that is still held', async () => {
    const emails = await open()
    for (let count = 0; count < 3; count++) await emails.insert(email(), content)
    const [first, second, third] = (await claimAt(emails, 1_000)).map((claimed) => ({
      id: claimed.email.id,
      fence: claimed.fence,
    }))
    assert.ok(first && second && third)
    await emails.releaseLeases([second])
    assert.deepEqual(await emails.renew([first, second, third], 60_000), new Set([first.id, third.id]))
    assert.deepEqual(
      (await claimAt(emails, 59_999)).map((claimed) => claimed.email.id),
      [second.id],
    )
  })

  it('lets only one of a change and a claim succeed', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    const canceled = { email: { ...kept, notices: ['canceled'] }, nextAt: null }
    const before = await emails.get(kept.id)
    assert.equal(await emails.change(kept.id, 0, 1_000, canceled), true)
    // Services show this record without another read.
    assert.deepEqual(await emails.get(kept.id), before && afterChange(before, canceled))
    assert.deepEqual(await claimAt(emails, 1_000), [])
    assert.equal(await emails.change(kept.id, 0, 1_000, canceled), false, 'the fencing token has changed')

    const leased = email()
    await emails.insert(leased, content)
    const { fence } = await claimOne(emails, 1_000)
    assert.equal(await emails.change(leased.id, 0, 1_001, canceled), false)
    assert.equal(await emails.change(leased.id, fence, 1_001, canceled), false, 'it is leased')
  })

  it('increments the fencing token by one on a change, which can make mail due', async () => {
    const emails = await open()
    const kept = email({ recipients: [recipient({ nextAt: null, status: 'unknown' })] })
    await emails.insert(kept, content)
    await emails.change(kept.id, 0, 1_000, { email: kept, nextAt: 3_000 })
    assert.equal((await emails.get(kept.id))?.fence, 1)
    assert.equal((await claimOne(emails, 3_000)).id, kept.id)
  })
}

/** Moves waiting mail to another time, as `PATCH /emails/{id}` does. */
const moved = (kept: Email, nextAt: number) => ({
  email: { ...kept, scheduledAt: nextAt, recipients: [recipient({ status: 'scheduled', nextAt })] },
  nextAt,
})

export const moves = (open: Open): void => {
  it('claims moved mail at its new time, whether that is later or earlier', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    assert.equal(await emails.change(kept.id, 0, 1_000, moved(kept, 9_000)), true)
    assert.deepEqual(await claimAt(emails, 8_999), [])
    assert.equal(await emails.nextDue('transactional'), 9_000)
    assert.equal(await emails.change(kept.id, 1, 1_000, moved(kept, 4_000)), true)
    assert.equal(await emails.nextDue('transactional'), 4_000)
    const claimed = await claimOne(emails, 4_000)
    assert.equal(claimed.email.scheduledAt, 4_000)
  })

  it('does not claim moved mail by a hint of its former time', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    await emails.change(kept.id, 0, 1_000, moved(kept, 9_000))
    const hinted = { lane: 'transactional', now: 8_999, limit: 10, leaseMs, ids: [kept.id] } as const
    assert.deepEqual(await emails.claim(hinted), [])
  })

  it('lets only one of a move, a cancel and a claim succeed', async () => {
    const emails = await open()
    for (let round = 0; round < 6; round++) {
      const kept = email()
      await emails.insert(kept, content)
      const canceled = { email: { ...kept, notices: ['canceled'] }, nextAt: null }
      const race = [
        () => emails.change(kept.id, 0, 1_000, moved(kept, 9_000)),
        () => emails.change(kept.id, 0, 1_000, canceled),
        async () =>
          (await emails.claim({ lane: 'transactional', now: 1_000, limit: 1, leaseMs, ids: [kept.id] })).length > 0,
      ]
      const order = [...race.slice(round % 3), ...race.slice(0, round % 3)]
      const won = await Promise.all(order.map((run) => run()))
      assert.equal(won.filter(Boolean).length, 1, `round ${round}: ${won}`)
    }
  })

  it('moves mail whose lease was released, and refuses the former holder', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    const { fence } = await claimOne(emails, 1_000)
    assert.equal(await emails.change(kept.id, fence, 1_001, moved(kept, 9_000)), false, 'it is leased')
    await emails.releaseLeases([{ id: kept.id, fence }])
    assert.equal(await emails.change(kept.id, fence, 1_001, moved(kept, 9_000)), true)
    assert.equal(await emails.write(kept.id, fence, { email: kept, nextAt: 1_000, done: false }), false)
    assert.deepEqual(await emails.renew([{ id: kept.id, fence }], 50_000), new Set())
    assert.equal((await emails.get(kept.id))?.nextAt, 9_000)
  })
}

export const deathsOfWorkers = (open: Open): void => {
  // Regression: mail that met twenty restarts during a day of retries used to be parked as if it had killed twenty
  // workers.
  it('resets the deaths when a worker writes an outcome', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    await claimOne(emails, 1_000)
    const second = await claimOne(emails, 1_000 + leaseMs)
    const kept = { email: second.email, nextAt: 2_000, done: true }
    assert.equal(await emails.write(second.id, second.fence, kept), true)
    assert.equal((await claimOne(emails, 1_000 + 2 * leaseMs)).deaths, 0)
  })

  it('counts a death when an expired lease is taken over', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    await claimOne(emails, 1_000)
    assert.deepEqual(await claimAt(emails, 999 + leaseMs), [], 'the lease is live')
    assert.equal((await claimOne(emails, 1_000 + leaseMs)).deaths, 1)
  })

  it('makes leased mail due when leases are cleared, counts a death each and refuses the holder', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    await emails.insert(email(), content)
    const [leased] = await claimAt(emails, 1_000, 1)
    assert.ok(leased)
    assert.equal(await emails.clearLeases(), 1)
    const change = { email: leased.email, nextAt: null, done: true }
    assert.equal(await emails.write(leased.email.id, leased.fence, change), false)
    const again = await claimAt(emails, 1_000)
    assert.deepEqual(again.map(({ deaths }) => deaths).sort(), [0, 1])
  })

  it('parks mail whose worker died 20 times', async () => {
    const emails = await open()
    const poison = email()
    await emails.insert(poison, content)
    for (let deaths = 0; deaths < 20; deaths++) {
      assert.equal((await claimOne(emails, 1_000)).deaths, deaths)
      await emails.clearLeases()
    }
    assert.deepEqual(await claimAt(emails, 1e12), [])
    assert.equal(await emails.nextDue('transactional'), null)
    const stored = await emails.get(poison.id)
    assert.equal(stored?.nextAt, null)
    assert.equal(stored?.deaths, 20)
  })
}
