import assert from 'node:assert/strict'
import type { EmailDoc } from '@postrider/adapters/mongo/emails/document.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import type { Db } from 'mongodb'
import type { Tenant } from '../../support/client.ts'
import { assertSawAll, followEvents } from '../../support/eventFollower.ts'
import { type Hook, startHook } from '../../support/hooks.ts'
import { until } from '../../support/until.ts'
import { shortOrLong } from '../random.ts'

/** Events that a reader of the feed, and in the long form a webhook, receives in a round with faults. */
export type RoundEvents = AsyncDisposable & {
  /** Reads on until it has seen an event of this email, which is later than all others. */
  stopAfter(email: string): Promise<void>
  /** Asserts that each event of the records was seen once and in order, and was pushed. @returns their number */
  assertAll(): Promise<number>
}

/** A reader that polls often would use a third of the machine. */
const readEveryMs = shortOrLong(10_000, 500)
const hasWebhook = shortOrLong(0, 1) === 1
/** Longer than the lease of a webhook, and than its second retry. */
const pushedMs = 1_800_000

export const followRound = async (tenant: Tenant, db: Db): Promise<RoundEvents> => {
  const hook = hasWebhook ? await startHook(tenant.session, {}, failSome()) : null
  const follower = followEvents(tenant.api, readEveryMs)
  return {
    stopAfter: (email) => follower.stopAfter(({ data }) => data.email_id === email),
    assertAll: async () => {
      const records = await recordsOf(db, tenant)
      assertSawAll(follower.seen, records)
      const events = records.flatMap(({ events }) => events.map(({ id }) => id))
      if (hook) await assertPushed(hook, events)
      return events.length
    },
    [Symbol.asyncDispose]: async () => {
      await follower[Symbol.asyncDispose]()
      await hook?.[Symbol.asyncDispose]()
    },
  }
}

/** Returns responses of a receiver that fails for the first request of some events. */
const failSome = () => {
  let requests = 0
  return (_: unknown, before: number) => ({ status: before === 0 && requests++ % 10 === 0 ? 500 : 200 })
}

/** Reads the records from the store, which is cheaper than a request for each. */
const recordsOf = async (db: Db, { workspace }: Tenant) => {
  const stored = await db.collection<EmailDoc>('emails').find({ workspace: workspace.id }).toArray()
  return stored.map(({ doc }) => {
    const { id, events } = JSON.parse(doc) as Email
    return {
      id,
      events: events.map(({ at, ...event }) => ({ ...event, timestamp: new Date(at).toISOString() })),
    }
  })
}

/** Waits until every event is pushed: one whose process died is sent again when its lease ends. */
const assertPushed = async ({ seen }: Hook, events: readonly string[]): Promise<void> => {
  const wanted = new Set(events)
  const pushed = () => new Set(seen.map(({ headers }) => headers['webhook-id'] ?? ''))
  await until('every event is pushed', () => wanted.isSubsetOf(pushed()) || undefined, pushedMs).catch(() => {})
  const has = pushed()
  assert.deepEqual([...wanted.difference(has)], [], 'events were not pushed')
  assert.deepEqual([...has.difference(wanted)], [], 'others were pushed')
  const bodies = Map.groupBy(seen, ({ headers }) => headers['webhook-id'] ?? '')
  for (const [id, all] of bodies) assert.equal(new Set(all.map(({ body }) => body)).size, 1, `${id} has changed`)
}
