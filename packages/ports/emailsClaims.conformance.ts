import assert from 'node:assert/strict'
import type { ClaimedEmail } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
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

export const claims = (open: Open): void => {
  it('claims due mail of one lane once, oldest first', async () => {
    const emails = await open()
    const [late, soon, other, scheduled] = [
      email({ recipients: [recipient({ nextAt: 900 })] }),
      email({ recipients: [recipient({ nextAt: 800 }), recipient({ nextAt: 2_000 })] }),
      email({ category: 'marketing', recipients: [recipient({ nextAt: 700 })] }),
      email({ recipients: [recipient({ nextAt: 1_001 })] }),
    ]
    for (const one of [late, soon, other, scheduled]) await emails.insert(one, content)
    const ids = (await claimAt(emails, 1_000)).map((claimed) => claimed.email.id)
    assert.deepEqual(ids, [soon.id, late.id])
    assert.deepEqual(await claimAt(emails, 1_000), [])
    const [marketing] = await emails.claim({ lane: 'marketing', now: 1_000, limit: 1, leaseMs })
    assert.equal(marketing?.email.id, other.id)
  })

  it('claims no more than the limit', async () => {
    const emails = await open()
    for (let count = 0; count < 5; count++) await emails.insert(email(), content)
    assert.equal((await claimAt(emails, 1_000, 3)).length, 3)
    assert.equal((await claimAt(emails, 1_000, 3)).length, 2)
  })

  it('stores the lease and the incremented fencing token of a claimed email', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const { id, fence, deaths } = await claimOne(emails, 1_000)
    const stored = await emails.get(id)
    assert.equal(deaths, 0)
    assert.ok(fence > 0)
    assert.equal(stored?.fence, fence)
    assert.equal(stored?.leaseUntil, 1_000 + leaseMs)
  })

  it('makes a released email due immediately and counts no death', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const first = await claimOne(emails, 1_000)
    await emails.releaseLeases([first])
    assert.equal(await emails.nextDue('transactional'), 1_000)
    const second = await claimOne(emails, 1_000)
    assert.ok(second.fence > first.fence)
    assert.equal(second.deaths, 0)
  })

  it('returns the time of the earliest email or lease end as the next due time', async () => {
    const emails = await open()
    assert.equal(await emails.nextDue('transactional'), null)
    await emails.insert(email({ recipients: [recipient({ nextAt: 5_000_000 })] }), content)
    await emails.insert(email(), content)
    assert.equal(await emails.nextDue('transactional'), 1_000)
    await claimOne(emails, 1_000)
    assert.equal(await emails.nextDue('transactional'), 1_000 + leaseMs)
    assert.equal(await emails.nextDue('marketing'), null)
  })

  it('counts due mail of each lane, with the oldest due time', async () => {
    const emails = await open()
    await emails.insert(email({ recipients: [recipient({ nextAt: 9_000 })] }), content)
    await emails.insert(email({ recipients: [recipient({ nextAt: 2_000 })] }), content)
    await emails.insert(email({ recipients: [recipient({ nextAt: null, status: 'suppressed' })] }), content)
    const lanes = await emails.backlog(3_000)
    assert.deepEqual(
      lanes.find(({ lane }) => lane === 'transactional'),
      { lane: 'transactional', due: 1, oldestDueAt: 2_000 },
    )
    assert.deepEqual(
      lanes.find(({ lane }) => lane === 'marketing'),
      { lane: 'marketing', due: 0, oldestDueAt: null },
    )
  })
}

export const claimsById = (open: Open): void => {
  const claimIds = (emails: EmailStore, now: number, ids: readonly string[], limit = 10) =>
    emails.claim({ lane: 'transactional', now, limit, leaseMs, ids })

  it('claims only due emails of the given ids', async () => {
    const emails = await open()
    const [due, other, later, leased] = [
      email(),
      email(),
      email({ recipients: [recipient({ nextAt: 1_001 })] }),
      email({ recipients: [recipient({ nextAt: 500 })] }),
    ]
    await emails.insert(leased, content)
    await claimOne(emails, 500)
    for (const one of [due, other, later]) await emails.insert(one, content)
    const requested = [later.id, leased.id, newId('em'), due.id, due.id]
    assert.deepEqual(idsIn(await claimIds(emails, 1_000, requested)), [due.id])
    assert.deepEqual(await claimIds(emails, 1_000, requested), [])
    assert.deepEqual(await claimIds(emails, 1_000, []), [])
    assert.deepEqual(idsIn(await claimAt(emails, 1_000)), [other.id])
  })

  it('does not claim ids of another lane', async () => {
    const emails = await open()
    const marketing = email({ category: 'marketing' })
    await emails.insert(marketing, content)
    assert.deepEqual(await claimIds(emails, 1_000, [marketing.id]), [])
    assert.equal((await emails.get(marketing.id))?.fence, 0)
  })

  it('claims the oldest when more ids are given than the limit', async () => {
    const emails = await open()
    const [new_, old, middle] = [3, 1, 2].map((nextAt) => email({ recipients: [recipient({ nextAt })] }))
    assert.ok(new_ && old && middle)
    for (const one of [new_, old, middle]) await emails.insert(one, content)
    const requested = [new_.id, old.id, middle.id]
    assert.deepEqual(idsIn(await claimIds(emails, 1_000, requested, 2)), [old.id, middle.id])
    assert.deepEqual(idsIn(await claimIds(emails, 1_000, requested, 2)), [new_.id])
  })

  it('takes over mail whose holder died', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    await claimOne(emails, 1_000)
    assert.deepEqual(await claimIds(emails, 999 + leaseMs, [kept.id]), [])
    const [taken] = await claimIds(emails, 1_000 + leaseMs, [kept.id])
    assert.equal(taken?.deaths, 1)
  })

  it('treats operators of the query language as ids', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    assert.deepEqual(await claimIds(emails, 1_000, ['$gt', '%', '']), [])
  })
}

export const shares = (open: Open): void => {
  const maxConcurrent = 50
  const insertFor = async (emails: EmailStore, workspace: string, count: number, nextAt = 1_000) => {
    const recipients = [recipient({ nextAt })]
    // Of several hundred inserts at the same time, the last would be too late for the store of a busy machine.
    for (let left = count; left > 0; left -= maxConcurrent) {
      const batch = Array.from({ length: Math.min(left, maxConcurrent) }, () => email({ workspace, recipients }))
      await Promise.all(batch.map((one) => emails.insert(one, content)))
    }
  }
  const countBy = (claimed: readonly ClaimedEmail[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const { email } of claimed) counts[email.workspace] = (counts[email.workspace] ?? 0) + 1
    return counts
  }

  it('claims mail of a workspace with little due mail too', async () => {
    const emails = await open()
    await insertFor(emails, 'ws_1', 500, 900)
    await insertFor(emails, 'ws_2', 3)
    assert.deepEqual(countBy(await claimAt(emails, 1_000)), { ws_1: 7, ws_2: 3 })
    assert.deepEqual(countBy(await claimAt(emails, 1_000)), { ws_1: 10 })
  })

  it('gives workspaces with much due mail equal shares of their oldest mail', async () => {
    const emails = await open()
    await insertFor(emails, 'ws_2', 20, 900)
    await insertFor(emails, 'ws_1', 20, 1_000)
    await insertFor(emails, 'ws_1', 3, 950)
    await insertFor(emails, 'ws_3', 20, 5_000)
    const claimed = await claimAt(emails, 1_000)
    assert.deepEqual(countBy(claimed), { ws_1: 5, ws_2: 5 })
    const ages = claimed.map(({ email }) => email.recipients[0]?.nextAt)
    assert.deepEqual(ages, [900, 900, 900, 900, 900, 950, 950, 950, 1_000, 1_000])
  })

  it('serves all workspaces over several claims when there are more than the limit', async () => {
    const emails = await open()
    const workspaces = Array.from({ length: 30 }, (_, number) => `ws_${number}`)
    for (const workspace of workspaces) await insertFor(emails, workspace, 4)
    const served = new Set<string>()
    for (let claim = 0; claim < 3; claim++) {
      for (const { email } of await claimAt(emails, 1_000)) served.add(email.workspace)
    }
    assert.deepEqual([...served].sort(), workspaces.sort())
  })

  it('fills a claim although many workspaces have no mail due yet', async () => {
    const emails = await open()
    for (let number = 0; number < 100; number++) await insertFor(emails, `ws_a${number}`, 1, 5_000)
    await insertFor(emails, 'ws_b', 20)
    assert.equal((await claimAt(emails, 1_000)).length, 10)
  })
}
