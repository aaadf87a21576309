import assert from 'node:assert/strict'
import { afterChange } from '@postrider/domain/email/changes.ts'
import { isParked } from '@postrider/domain/email/decisions.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import type { Position } from '@postrider/domain/position.ts'
import type { EmailStore } from './emails.ts'
import { claimAt, claimOne, content, email, leaseMs, type Open, recipient } from './emailsFixtures.conformance.ts'

/** Lets workers die until each due email is parked, the last of them at `at`. */
export const parkDue = async (emails: EmailStore, at: number): Promise<void> => {
  for (let deaths = 0; deaths < 20; deaths++) {
    await claimAt(emails, at)
    await emails.clearLeases()
  }
  assert.deepEqual(await claimAt(emails, at), [])
}

export const parking = (open: Open): void => {
  const park = async (emails: EmailStore, at: number, over: Partial<Email> = {}): Promise<Email> => {
    const one = email(over)
    await emails.insert(one, content)
    await parkDue(emails, at)
    return one
  }
  const parkedIds = async (emails: EmailStore, before: Position | null = null, limit = 10): Promise<string[]> =>
    (await emails.parked({ before, limit })).map(({ stored }) => stored.email.id)
  const fenceOf = async (emails: EmailStore, id: string): Promise<number> => (await emails.get(id))?.fence ?? -1

  it('is listed with its time, the last parked first, in pages', async () => {
    const emails = await open()
    await emails.insert(email({ recipients: [recipient({ nextAt: 90_000 })] }), content)
    const [first, second] = [await park(emails, 1_000), await park(emails, 2_000)]
    const ties = [email(), email()]
    for (const one of ties) await emails.insert(one, content)
    await parkDue(emails, 3_000)
    const newest = ties.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1))
    assert.deepEqual(await parkedIds(emails), [...newest, second.id, first.id])
    const [top] = await emails.parked({ before: null, limit: 1 })
    assert.equal(top?.parkedAt, 3_000)
    assert.ok(isParked(top.stored))
    assert.equal(top.stored.deaths, 20)
    const position = { at: 3_000, id: newest[0] ?? '' }
    assert.deepEqual(await parkedIds(emails, position, 2), [newest[1], second.id])
    assert.deepEqual(await parkedIds(emails, { at: 1_000, id: first.id }), [])
    assert.deepEqual([await emails.countParked(100), await emails.countParked(3)], [4, 3])
  })

  it('is claimed again, with no deaths, after a change that resets them', async () => {
    const emails = await open()
    const kept = await park(emails, 1_000)
    const stored = await emails.get(kept.id)
    assert.ok(stored && isParked(stored))
    const release = { email: kept, nextAt: 1_000, resetsDeaths: true } as const
    assert.equal(await emails.change(kept.id, stored.fence - 1, 2_000, release), false, 'another fence')
    assert.equal(await emails.change(kept.id, stored.fence, 2_000, release), true)
    assert.deepEqual(await emails.get(kept.id), afterChange(stored, release))
    assert.equal(await emails.change(kept.id, stored.fence, 2_000, release), false, 'it was released')
    assert.deepEqual([await parkedIds(emails), await emails.countParked(10)], [[], 0])
    const claimed = await claimOne(emails, 2_000)
    assert.deepEqual([claimed.id, claimed.deaths, claimed.fence > stored.fence], [kept.id, 0, true])
    assert.equal(await emails.change(kept.id, claimed.fence, 2_000, release), false, 'it is leased')
  })

  it('is parked again by the next claim after any other change of its time', async () => {
    const emails = await open()
    const kept = await park(emails, 1_000)
    const moved = { email: kept, nextAt: 2_000 }
    assert.equal(await emails.change(kept.id, await fenceOf(emails, kept.id), 1_500, moved), true)
    assert.deepEqual(await parkedIds(emails), [])
    assert.deepEqual(await claimAt(emails, 3_000), [])
    assert.equal((await emails.parked({ before: null, limit: 1 }))[0]?.parkedAt, 3_000)
  })

  it('is not listed any more when it has ended, or was ended by a change after its lease', async () => {
    const emails = await open()
    const kept = await park(emails, 1_000)
    const ended = { ...kept, recipients: [recipient({ status: 'failed', nextAt: null })] }
    const fence = await fenceOf(emails, kept.id)
    assert.equal(await emails.change(kept.id, fence, 1_500, { email: ended, nextAt: null }), true)
    assert.deepEqual([await parkedIds(emails), await emails.countParked(10)], [[], 0])
    const stored = await emails.get(kept.id)
    assert.deepEqual([stored?.email, stored && isParked(stored)], [ended, false])
  })

  it('keeps its time in passes over mail without one, and other mail gets none', async () => {
    const emails = await open()
    const kept = await park(emails, 1_000)
    const ended = await park(emails, 1_000)
    const over = { ...ended, recipients: [recipient({ status: 'failed', nextAt: null })] }
    await emails.change(ended.id, await fenceOf(emails, ended.id), 1_500, { email: over, nextAt: null })
    for (let more = 0; more < 5; more++) await emails.insert(email({ workspace: `ws_${more}` }), content)
    await claimAt(emails, 2_000)
    for (let calls = 0; (await emails.timeParked(9_000, 2)).more; calls++) assert.ok(calls < 100)
    const listed = await emails.parked({ before: null, limit: 10 })
    assert.deepEqual(
      listed.map(({ stored, parkedAt }) => [stored.email.id, parkedAt]),
      [[kept.id, 1_000]],
    )
  })

  it('stays parked when its workspace is resumed, and when leases are cleared', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    await emails.suspend([{ id: kept.id, workspace: 'ws_1', fence: 0, until: 1_500 }], 1_000)
    await parkDue(emails, 1_500)
    await emails.resume({ except: new Set(), limit: 10 })
    await emails.clearLeases()
    assert.deepEqual(await claimAt(emails, 1e12), [])
    assert.deepEqual(await parkedIds(emails), [kept.id])
  })
}

export const firstDue = (open: Open): void => {
  it('is the mail of one lane in the order of its time, in flight or not', async () => {
    const emails = await open()
    const at = (nextAt: number, over: Partial<Email> = {}): Email =>
      email({ recipients: [recipient({ nextAt })], ...over })
    const [later, leased, due, final] = [
      at(9_000_000),
      at(500),
      at(1_000),
      email({ recipients: [recipient({ status: 'delivered', nextAt: null })] }),
    ]
    for (const one of [later, leased, at(1, { category: 'marketing' }), final]) await emails.insert(one, content)
    await claimOne(emails, 500)
    await emails.insert(due, content)
    const ids = async (limit: number) => (await emails.firstDue('transactional', limit)).map(({ email }) => email.id)
    assert.deepEqual(await ids(10), [due.id, leased.id, later.id])
    assert.deepEqual(await ids(1), [due.id])
    assert.equal((await emails.firstDue('transactional', 2))[1]?.leaseUntil, 500 + leaseMs)
  })
}
