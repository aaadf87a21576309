import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoTestClocks } from '@postrider/adapters/mongo/testClocks.ts'
import { mongoWebhookDeliveries } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteTestClocks } from '@postrider/adapters/sqlite/testClocks.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { withRecipients } from '@postrider/domain/email/changes.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import { type ClaimedEmail, type Email, lanes } from '@postrider/domain/email/email.ts'
import { following, movedClock, unmovedClock } from '@postrider/domain/email/testClock.ts'
import { hourMs, minuteMs } from '@postrider/domain/time.ts'
import { deliveryId, newDelivery, type WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { followingDelivery } from '@postrider/domain/webhooks/testClock.ts'
import { idOf } from '@postrider/kit/ids.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { content, email, leaseMs, recipient } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, type Moment, newIdOf, operationsOn, rarely, timeOf } from './compare.ts'

type Stores = {
  clocks: TestClockStore
  emails: EmailStore
  deliveries: WebhookDeliveryStore
  audit: Audit
  /** What was claimed, and perhaps lost since. */
  leased: ClaimedEmail[]
  claimed: { delivery: WebhookDelivery; fence: number }[]
}

const operation = operationsOn<Stores>()

const start = Date.UTC(2026, 10, 28, 12)
const workspaces = ['ws_0', 'ws_1']
const workspace = fc.constantFrom(...workspaces)
const [emailCount, endpointCount, eventCount] = [8, 3, 4]
const number = fc.nat({ max: emailCount - 1 })
const endpoint = fc.nat({ max: endpointCount - 1 })
const event = fc.nat({ max: eventCount - 1 })
const recent = fc.nat({ max: 3 })
const offset = fc.constantFrom(0, 1, minuteMs, hourMs, 2 * hourMs)
const max = fc.constantFrom(1, 2, 100)
const delayMs = fc.constantFrom(0, minuteMs, hourMs)

const emailIdOf = (of: number): string => `em_${String(of).padStart(26, '0')}`
const endpointIdOf = (of: number): string => `wh_${of}`
const deliveryIdOf = (to: number, of: number): string =>
  deliveryId(endpointIdOf(to), idOf('evt', start + of, new Uint8Array(10).fill(of)))

const ofClocks = {
  move: operation(
    { workspace, byMs: fc.constantFrom(0, 1, minuteMs, hourMs), isStale: rarely },
    async ({ clocks }, given, moment) => {
      const stored = (await clocks.get(given.workspace)) ?? unmovedClock(given.workspace)
      const moved = movedClock(stored, { byMs: given.byMs }, timeOf(moment))
      if ('problem' in moved) return moved.problem
      const clock = { ...moved.clock, rev: moved.clock.rev + (given.isStale ? 1 : 0) }
      const entry = anEntry({ id: newIdOf('aud', moment), workspace: given.workspace, at: timeOf(moment) })
      // The first move of a clock has no state before it, so its `rev` is 1.
      return stored.rev === 0 && given.isStale ? null : clocks.move(clock, entry)
    },
    5,
  ),
  toFollow: operation(
    { max, afterMs: fc.constantFrom(null, 0, minuteMs), isStale: rarely },
    async ({ clocks }, given, moment) => {
      const found = await clocks.toFollow(moment.now, given.max)
      for (const [index, clock] of found.entries()) {
        const checkAt = given.afterMs === null ? null : timeOf(moment) + given.afterMs + index * 100
        await clocks.followed({ ...clock, rev: clock.rev - (given.isStale ? 1 : 0) }, checkAt)
      }
      return found
    },
    3,
  ),
}

/** Milliseconds that every time of an email has, and no time of another email. */
const ownMs = (of: number): number => of * 10

const mail = {
  number,
  isLive: rarely,
  isMarketing: fc.boolean(),
  people: fc.integer({ min: 1, max: 2 }),
  delayMs,
  clock: fc.option(offset, { nil: null }),
}

const newMail = (
  given: { [Name in keyof typeof mail]: (typeof mail)[Name] extends fc.Arbitrary<infer T> ? T : never },
) => {
  const createdAt = start + ownMs(given.number)
  const clock = given.clock === null ? undefined : { accepted: 0, offset: given.clock }
  const people = Array.from({ length: given.people }, (_, to) =>
    recipient({ nextAt: createdAt + given.delayMs + to * hourMs, status: to === 0 ? 'queued' : 'deferred' }),
  )
  return email({
    id: emailIdOf(given.number),
    workspace: workspaces[given.number % workspaces.length] ?? '',
    mode: given.isLive ? 'live' : 'test',
    category: given.isMarketing ? 'marketing' : 'transactional',
    createdAt,
    recipients: people,
    ...(clock && { clock }),
  })
}

const ended = (one: Email, isDeferred: boolean, moment: Moment): Email =>
  withRecipients(one, [...one.recipients.keys()], (to) =>
    isDeferred
      ? { ...to, status: 'deferred', nextAt: timeOf(moment) + hourMs + ownMs(0) }
      : { ...to, status: 'delivered', nextAt: null },
  )

/** Sets the offset of the mail that is behind a clock, as the service does. */
const followMail = async (
  { emails }: Stores,
  given: { workspace: string; offset: number },
  { now }: Moment,
): Promise<unknown> => {
  const behind = await emails.behindClock({ ...given, now, limit: 100 })
  const followed: unknown[] = []
  for (const stored of behind) {
    const after = following(stored.email, given.offset)
    followed.push([
      after.id,
      await emails.change(after.id, stored.fence, now, { email: after, nextAt: nextDueOf(after) }),
    ])
  }
  return [inAnyOrder(behind), inAnyOrder(followed)]
}

const ofMail = {
  insert: operation(mail, ({ emails }, given) => emails.insert(newMail(given), { ...content, attachments: [] }), 6),
  claim: operation(
    { lane: fc.constantFrom(...lanes) },
    async ({ emails, leased }, { lane }, { now }) => {
      const claimed = await emails.claim({ lane, now, limit: 100, leaseMs })
      leased.push(...claimed)
      return inAnyOrder(claimed)
    },
    3,
  ),
  write: operation(
    { of: recent, isDeferred: fc.boolean() },
    async (stores, given, moment) => {
      const one = stores.leased.at(-1 - given.of)
      if (!one) return null
      stores.leased = stores.leased.filter((other) => other !== one)
      const after = ended(one.email, given.isDeferred, moment)
      return stores.emails.write(after.id, one.fence, { email: after, nextAt: nextDueOf(after), done: true })
    },
    2,
  ),
  release: operation({ of: recent }, async (stores, given) => {
    const one = stores.leased.at(-1 - given.of)
    stores.leased = stores.leased.filter((other) => other !== one)
    if (one) await stores.emails.releaseLeases([{ id: one.email.id, fence: one.fence }])
  }),
  followMail: operation({ workspace, offset }, followMail, 4),
  countMail: operation(
    { workspace, offset, max },
    async ({ emails }, given, { now }) => [
      (await emails.behindClock({ workspace: given.workspace, offset: given.offset, now, limit: given.max })).length,
      await emails.dueTestMail({ workspace: given.workspace, now, max: given.max }),
    ],
    3,
  ),
}

const endpoints = fc.uniqueArray(endpoint.map(endpointIdOf), { minLength: 1 })

const ofDeliveries = {
  insertDelivery: operation(
    { endpoint, event, isLive: rarely, delayMs, clock: fc.option(offset, { nil: null }), isLeased: rarely },
    async ({ deliveries, claimed }, given, moment) => {
      const about = { id: idOf('evt', start + given.event, new Uint8Array(10).fill(given.event)), at: start }
      const mode = given.isLive ? 'live' : 'test'
      const to = { id: endpointIdOf(given.endpoint), workspace: 'ws_0' }
      const made = newDelivery(to, { ...about, type: 'email.bounced', mode }, timeOf(moment) + given.delayMs)
      const delivery = { ...made, ...(given.clock !== null && { clockOffset: given.clock }) }
      const stored = await deliveries.insert([
        { delivery, leaseUntil: given.isLeased ? timeOf(moment) + minuteMs : null },
      ])
      const fence = stored.get(delivery.id)
      if (given.isLeased && fence !== undefined) claimed.push({ delivery, fence })
      return stored
    },
    6,
  ),
  // Claims one delivery of each endpoint, so that no two leases of an endpoint end at the same time.
  claimDeliveries: operation(
    { endpoints },
    async ({ deliveries, claimed }, given, moment) => {
      const parts = given.endpoints.map((one) => ({ endpoint: one, limit: 1 }))
      const found = await deliveries.claim({ now: moment.now, leaseMs: minuteMs + moment.step, parts })
      claimed.push(...found.toSorted((one, other) => (one.delivery.id < other.delivery.id ? -1 : 1)))
      return inAnyOrder(found)
    },
    3,
  ),
  writeDelivery: operation(
    { of: recent, isRetried: fc.boolean() },
    async (stores, given, moment) => {
      const one = stores.claimed.at(-1 - given.of)
      if (!one) return null
      stores.claimed = stores.claimed.filter((other) => other !== one)
      const at = timeOf(moment)
      const after: WebhookDelivery = given.isRetried
        ? { ...one.delivery, nextAt: at + hourMs }
        : { ...one.delivery, status: 'delivered', nextAt: null, endedAt: at }
      return stores.deliveries.write(after.id, one.fence, after)
    },
    2,
  ),
  releaseDelivery: operation({ of: recent }, async (stores, given) => {
    const one = stores.claimed.at(-1 - given.of)
    stores.claimed = stores.claimed.filter((other) => other !== one)
    if (one) await stores.deliveries.release([{ id: one.delivery.id, fence: one.fence }])
  }),
  clearDeliveries: operation({}, async (stores) => {
    stores.claimed = []
    await stores.deliveries.clearLeases()
  }),
  followDeliveries: operation(
    { endpoints, offset, isStale: rarely, isLate: rarely },
    async ({ deliveries }, given, { now }) => {
      const behind = await deliveries.behindClock({ endpoints: given.endpoints, now, offset: given.offset, limit: 100 })
      const followed: unknown[] = []
      for (const { delivery, fence } of behind) {
        const after = followingDelivery(delivery, given.offset)
        const guard = fence - (given.isStale ? 1 : 0)
        if (given.isLate) await deliveries.claimOne(after.endpoint, after.id, now, minuteMs)
        followed.push([after.id, await deliveries.follow(after.id, guard, after, now)])
      }
      return [inAnyOrder(behind), inAnyOrder(followed)]
    },
    4,
  ),
  countDeliveries: operation(
    { endpoints, offset, max },
    async ({ deliveries }, given, { now }) => [
      (await deliveries.behindClock({ endpoints: given.endpoints, offset: given.offset, now, limit: given.max }))
        .length,
      await deliveries.dueTests({ endpoints: given.endpoints, now, max: given.max }),
    ],
    3,
  ),
}

const contents = async (stores: Stores, _: undefined, { now }: Moment): Promise<unknown> => {
  const { clocks, emails, deliveries, audit } = stores
  const all = Array.from({ length: endpointCount }, (_unused, to) => to)
  const ofEndpoint = (to: number) =>
    Promise.all(
      Array.from({ length: eventCount }, (_unused, of) => deliveries.get(endpointIdOf(to), deliveryIdOf(to, of))),
    )
  return {
    clocks: await Promise.all(workspaces.map((one) => clocks.get(one))),
    toFollow: await clocks.toFollow(Number.MAX_SAFE_INTEGER - 1, 100),
    emails: await Promise.all(Array.from({ length: emailCount }, (_unused, of) => emails.get(emailIdOf(of)))),
    deliveries: await Promise.all(all.map(ofEndpoint)),
    due: [
      await Promise.all(workspaces.map((one) => emails.dueTestMail({ workspace: one, now, max: 100 }))),
      await deliveries.dueTests({ endpoints: all.map(endpointIdOf), now, max: 100 }),
    ],
    audit: await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 }),
  }
}

export const testClockDifferences: Comparison<Stores> = {
  name: 'test clocks, and the mail and deliveries that follow them',
  sqlite: (db) => ({
    clocks: sqliteTestClocks(db),
    emails: sqliteEmails(db),
    deliveries: sqliteWebhookDeliveries(db),
    audit: sqliteAudit(db),
    leased: [],
    claimed: [],
  }),
  mongo: (db) => ({
    clocks: mongoTestClocks(db),
    emails: mongoEmails(db),
    deliveries: mongoWebhookDeliveries(db),
    audit: mongoAudit(db),
    leased: [],
    claimed: [],
  }),
  operations: { ...ofClocks, ...ofMail, ...ofDeliveries },
  waits: [1_000, leaseMs, minuteMs, hourMs, -1_000],
  contents,
  maxOperations: 40,
}
