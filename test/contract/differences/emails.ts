import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { withEvents, withRecipients } from '@postrider/domain/email/changes.ts'
import { canceled } from '@postrider/domain/email/decisions.ts'
import { nextDueOf, waitingRecipients } from '@postrider/domain/email/due.ts'
import { type Email, type EmailEventType, lanes, type StoredEmail } from '@postrider/domain/email/email.ts'
import { type EmailQuery, noFilter } from '@postrider/domain/email/filter.ts'
import { emailStatuses } from '@postrider/domain/email/status.ts'
import { suspendedMail } from '@postrider/domain/email/waiting.ts'
import type { FeedPosition, PublicEvent } from '@postrider/domain/events/event.ts'
import { decidePurge, dueFrom } from '@postrider/domain/retention/purge.ts'
import { defaultRetention, type Retention } from '@postrider/domain/retention/retention.ts'
import { dayMs, hourMs, minuteMs } from '@postrider/domain/time.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { content, email, leaseMs, recipient } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, type Moment, operationsOn, rarely } from './compare.ts'

/**
 * `number`: of the email. `email`: as its holder wrote it last, of which `stored` events are in the store. `until`:
 * when the lease ends.
 */
type Lease = { number: number; id: string; fence: number; email: Email; stored: number; until: number }

type Stores = {
  emails: EmailStore
  feed: EventFeed
  /** Leases whose holder has not ended them; some are lost. */
  leases: Lease[]
}

const emailCount = 6
/** Before the first operation: no event of an email is older than the email. */
const start = Date.UTC(2026, 10, 28, 11, 30)
const workspaces = ['ws_1', 'ws_2']

const emailIdOf = (number: number): string => `em_${String(number).padStart(26, '0')}`
const numberOf = (id: string): number => Number(id.slice('em_'.length))

/**
 * Milliseconds that every time of an email has, and no time of another email: ports leave the order of mail of one
 * millisecond to each store. Creation has another order than the ids.
 */
const ownMs = (number: number): number => ((number * 5) % emailCount) * 10

type Shape = {
  isMarketing: boolean
  isTest: boolean
  isScheduled: boolean
  hasFiles: boolean
  people: number
  delayMs: number
  key: string
  subject: string
  tag: string
  retention: Retention | null
  expiresMs: number | null
}

const subjects = ['Hello', 'hello WORLD', 'Grüße', 'ΣΊΣΥΦΟΣ']

const shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> } = {
  isMarketing: fc.boolean(),
  isTest: fc.nat({ max: 3 }).map((chosen) => chosen === 0),
  isScheduled: fc.boolean(),
  hasFiles: fc.boolean(),
  people: fc.integer({ min: 1, max: 3 }),
  delayMs: fc.constantFrom(0, minuteMs, dayMs),
  key: fc.constantFrom('key_1', 'key_2'),
  subject: fc.constantFrom(...subjects),
  tag: fc.constantFrom('a', 'b'),
  retention: fc.constantFrom<(Retention | null)[]>(null, 'none', 'metadata', 1),
  expiresMs: fc.constantFrom(null, hourMs, 2 * dayMs),
}

const newMail = (number: number, one: Shape): Email => {
  const createdAt = start + ownMs(number)
  const nextAt = createdAt + one.delayMs
  const isScheduled = one.isScheduled && one.delayMs > 0
  const people = Array.from({ length: one.people }, (_, to) =>
    recipient({
      address: `To${to}@example.com`,
      status: isScheduled ? 'scheduled' : 'queued',
      nextAt: nextAt + to * minuteMs,
    }),
  )
  const accepted = email({
    id: emailIdOf(number),
    workspace: workspaces[number % workspaces.length] ?? '',
    mode: one.isTest ? 'test' : 'live',
    category: one.isMarketing ? 'marketing' : 'transactional',
    createdAt,
    scheduledAt: isScheduled ? nextAt : null,
    expiresAt: one.expiresMs === null ? null : createdAt + one.expiresMs,
    keyId: one.key,
    templateId: one.tag === 'a' ? 'tpl_1' : null,
    subject: one.subject,
    tags: { team: one.tag },
    counted: !one.isTest,
    messageBytes: 100,
    recipients: people,
    ...(one.retention !== null && { retention: one.retention }),
  })
  return withEvent(accepted, createdAt, 'email.accepted')
}

const withEvent = (one: Email, at: number, type: EmailEventType, to: number | null = null): Email =>
  withEvents(one, at, [{ type, recipient: to, cause: { kind: 'request', actor: 'key_1' } }])

const number = fc.nat({ max: emailCount - 1 })
const numbers = fc.uniqueArray(number, { maxLength: 3 })
const lane = fc.constantFrom(...lanes)
const limit = fc.constantFrom(1, 2, 100)
const leaseIndex = fc.nat({ max: 5 })
const except = fc.constantFrom<string[]>([], ['ws_1'], ['ws_2'])

const operation = operationsOn<Stores>()

const leaseAt = ({ leases }: Stores, index: number): Lease | undefined => leases.at(-1 - index)

const without = (stores: Stores, ended: readonly Lease[]): void => {
  stores.leases = stores.leases.filter((lease) => !ended.includes(lease))
}

/** Claims, and gives each lease an end that no other lease has. */
const claim = async (
  stores: Stores,
  query: Pick<Parameters<EmailStore['claim']>[0], 'lane' | 'limit' | 'ids' | 'except'>,
  { now }: Moment,
): Promise<unknown> => {
  const claimed = await stores.emails.claim({ ...query, now, leaseMs })
  for (const { email: one, fence } of claimed) {
    const lease = { number: numberOf(one.id), id: one.id, fence, email: one, stored: one.events.length }
    const until = now + leaseMs + ownMs(lease.number)
    await stores.emails.renew([lease], until)
    stores.leases.push({ ...lease, until })
  }
  return claimed
}

const ends = ['sent', 'delivered', 'deferred', 'owing'] as const

/** Returns an email as its holder writes it next. */
const written = ({ email: one, number: own }: Lease, as: (typeof ends)[number], now: number): Email => {
  const waiting = waitingRecipients(one)
  if (as === 'sent') {
    const sent = withEvent(one, now, 'email.sent', 0)
    return withRecipients(sent, waiting.slice(0, 1), (to) => ({ ...to, status: 'sending' }))
  }
  if (as === 'deferred') {
    const nextAt = now + 7 * minuteMs + ownMs(own)
    const deferred = withRecipients(one, waiting, (to) => ({ ...to, status: 'deferred', nextAt, tries: to.tries + 1 }))
    return withEvent(deferred, now, 'email.deferred', 0)
  }
  const ended = withRecipients(one, waiting, (to) => ({ ...to, status: 'delivered', nextAt: null }))
  return { ...withEvent(ended, now, 'email.delivered', 0), owed: as === 'owing' ? [0] : one.owed }
}

const query = {
  workspace: fc.constantFrom(...workspaces),
  mode: fc.constantFrom(null, null, 'live', 'test'),
  keyId: fc.constantFrom(null, null, null, 'key_1', 'key_2'),
  before: fc.option(number.map(emailIdOf), { nil: null }),
  limit,
  status: fc.option(fc.constantFrom(...emailStatuses), { nil: null, freq: 2 }),
  to: fc.constantFrom(null, null, null, 'to0@example.com', 'TO1@example.com'),
  from: fc.constantFrom(null, null, null, 'ADA@postrider.example', 'bob@postrider.example'),
  subject: fc.constantFrom(null, null, null, 'hello', 'o', 'GRÜ', 'σίσυφος', 'e'),
  templateId: fc.constantFrom(null, null, null, 'tpl_1', 'tpl_2'),
  tag: fc.constantFrom(null, null, null, { name: 'team', value: 'a' }, { name: 'other', value: 'a' }),
  category: fc.constantFrom(null, null, 'transactional', 'marketing'),
  createdAfter: fc.option(
    number.map((own) => start + ownMs(own)),
    { nil: null, freq: 2 },
  ),
  createdBefore: fc.option(
    number.map((own) => start + ownMs(own)),
    { nil: null, freq: 2 },
  ),
} satisfies { [Name in keyof Omit<EmailQuery, 'now'>]: fc.Arbitrary<EmailQuery[Name]> }

/** Reads all events of a workspace. The pages may end elsewhere in each store. */
const eventsOf = async (
  { feed }: Stores,
  wanted: Omit<Parameters<EventFeed['readEvents']>[0], 'after'>,
): Promise<PublicEvent[]> => {
  const found: PublicEvent[] = []
  for (let after: FeedPosition | null = null; ; ) {
    const page = await feed.readEvents({ ...wanted, after })
    found.push(...page.events)
    if (!page.hasMore) return found
    after = page.position
  }
}

/** Does what the sweep does with mail whose step is due. */
const purge = async ({ emails }: Stores, { now }: Moment, max: number): Promise<unknown> => {
  const dueAt = (step: string): number => dueFrom(step, now, defaultRetention)
  const backlog = await emails.purgeBacklog(dueAt, max)
  const due = await emails.duePurges(dueAt, 100)
  const results: unknown[] = []
  for (const one of due) {
    const decision = decidePurge(one, one.purge.step, now, defaultRetention)
    if (decision.kind === 'postpone') {
      await emails.setPurges([{ id: one.id, was: one.purge, purge: decision.purge }])
    } else if (decision.removal === 'record') {
      results.push(await emails.removeEmails([one]))
    } else {
      const remove = decision.removal === 'attachments' ? 'attachments' : 'content'
      results.push(await emails.purge([{ email: decision.email, fence: one.fence, purge: decision.purge, remove }]))
    }
  }
  return [backlog, inAnyOrder(due), inAnyOrder(results)]
}

const change = async (
  { emails }: Stores,
  wanted: { number: number; isLate: boolean; as: 'cancel' | 'again' | 'settle'; resets: boolean; isAudited: boolean },
  { now, step }: Moment,
): Promise<unknown> => {
  const stored = await emails.get(emailIdOf(wanted.number))
  if (stored === null) return null
  const changedTo = (one: Email): Email => {
    if (wanted.as === 'cancel') return canceled(one, now, 'key_1')
    if (wanted.as === 'settle') return { ...one, owed: [] }
    const nextAt = now + ownMs(wanted.number)
    return withEvent(
      withRecipients(one, [0], (to) => ({ ...to, status: 'deferred', nextAt })),
      now,
      'email.deferred',
      0,
    )
  }
  const after = changedTo(stored.email)
  const fence = stored.fence - (wanted.isLate ? 1 : 0)
  const given = { email: after, nextAt: nextDueOf(after), ...(wanted.resets && { resetsDeaths: true as const }) }
  const entry = anEntry({ id: `aud_${step}`, workspace: after.workspace, at: now })
  return emails.change(after.id, fence, now, given, wanted.isAudited ? entry : undefined)
}

const write = async (
  stores: Stores,
  wanted: { index: number; as: (typeof ends)[number]; hasCount: boolean },
  { now }: Moment,
): Promise<unknown> => {
  const lease = leaseAt(stores, wanted.index)
  if (!lease) return null
  const { id, fence, stored } = lease
  const after = written(lease, wanted.as, now)
  const done = wanted.as !== 'sent'
  const given = { email: after, nextAt: nextDueOf(after), done, ...(wanted.hasCount && { storedEvents: stored }) }
  const isWritten = await stores.emails.write(id, fence, given)
  if (isWritten && !done) Object.assign(lease, { email: after, stored: after.events.length })
  else without(stores, [lease])
  return isWritten
}

const suspend = async ({ emails }: Stores, workspace: string, { now }: Moment): Promise<unknown> => {
  const due = await emails.dueOf([workspace], now, 100)
  const mail = due.flatMap((stored: StoredEmail) => {
    const { id } = stored.email
    const decided = suspendedMail(stored.email, now)
    if (decided.kind === 'ended') return []
    return [{ id, workspace, fence: stored.fence, until: now + hourMs + ownMs(numberOf(id)) }]
  })
  return [inAnyOrder(due), await emails.suspend(mail, now)]
}

/** Lets the workers of an email die until it is parked. */
const park = async (stores: Stores, wanted: { number: number }, moment: Moment): Promise<unknown> => {
  const id = emailIdOf(wanted.number)
  const found = await stores.emails.get(id)
  if (found === null) return null
  for (let deaths = 0; deaths <= 20; deaths++) {
    await stores.emails.claim({ lane: found.email.category, now: moment.now, limit: 1, leaseMs, ids: [id] })
    await stores.emails.clearLeases()
  }
  stores.leases = []
  return stores.emails.get(id)
}

const operations = {
  insert: operation(
    { number, ...shape },
    ({ emails }, { number: own, hasFiles, ...one }) =>
      emails.insert(newMail(own, { ...one, hasFiles }), hasFiles ? content : { ...content, attachments: [] }),
    8,
  ),
  tombstone: operation({ number }, ({ emails }, { number: own }) => emails.tombstone(emailIdOf(own))),
  claim: operation(
    { lane, limit, except },
    (stores, { except: excluded, ...given }, moment) => claim(stores, { ...given, except: new Set(excluded) }, moment),
    5,
  ),
  claimSome: operation(
    { lane, numbers },
    (stores, given, moment) =>
      claim(stores, { lane: given.lane, limit: 100, ids: given.numbers.map(emailIdOf) }, moment),
    2,
  ),
  write: operation({ index: leaseIndex, as: fc.constantFrom(...ends), hasCount: fc.boolean() }, write, 6),
  lastWrite: operation({ index: leaseIndex }, async (stores, { index }) => {
    const lease = leaseAt(stores, index)
    return lease && (await stores.emails.lastWrite(lease.id, lease.fence))?.email
  }),
  renew: operation({ indexes: fc.uniqueArray(leaseIndex, { maxLength: 3 }) }, async (stores, { indexes }, { now }) => {
    const held: string[] = []
    for (const index of indexes) {
      const lease = leaseAt(stores, index)
      if (lease)
        held.push(...(await stores.emails.renew([lease], Math.max(lease.until, now + leaseMs + ownMs(lease.number)))))
    }
    return held
  }),
  release: operation({ index: leaseIndex }, async (stores, { index }) => {
    const ended = stores.leases.slice(index)
    await stores.emails.releaseLeases(ended)
    without(stores, ended)
  }),
  clearLeases: operation({}, async (stores) => {
    stores.leases = []
    return stores.emails.clearLeases()
  }),
  park: operation({ number }, park),
  change: operation(
    {
      number,
      isLate: rarely,
      as: fc.constantFrom('cancel', 'again', 'settle'),
      resets: fc.boolean(),
      isAudited: fc.boolean(),
    },
    change,
    3,
  ),
  suspend: operation(
    { workspace: fc.constantFrom(...workspaces) },
    (stores, { workspace }, moment) => suspend(stores, workspace, moment),
    2,
  ),
  // A store chooses which mail of a workspace it resumes first.
  resume: operation({ except }, ({ emails }, given) => emails.resume({ except: new Set(given.except), limit: 100 }), 2),
  purge: operation({ max: limit }, (stores, { max }, moment) => purge(stores, moment, max), 3),
  adopt: operation({}, ({ emails }, _, { now }) => emails.adoptPurges(now, 100)),
  fillIndex: operation({}, async ({ emails }) => void (await emails.fillListIndex(100))),
  list: operation(query, ({ emails }, given, { now }) => emails.list({ ...given, now }), 8),
  content: operation({ number }, ({ emails }, { number: own }) => emails.content(emailIdOf(own))),
  counts: operation({ max: limit, workspace: fc.constantFrom(...workspaces) }, async ({ emails }, given, { now }) => [
    await emails.nextDue('transactional'),
    inAnyOrder(await emails.backlog(now)),
    inAnyOrder(await emails.queueCounts()),
    inAnyOrder(await emails.pendingRefunds(100)),
    await emails.dueTestMail({ ...given, now }),
    inAnyOrder(await emails.behindClock({ workspace: given.workspace, offset: 1, now, limit: 100 })),
    await emails.countParked(given.max),
    await emails.firstDue('marketing', given.max),
  ]),
  events: operation(
    {
      workspace: fc.constantFrom(...workspaces),
      mode: fc.constantFrom(null, 'live', 'test'),
      order: fc.constantFrom('asc', 'desc'),
      limit,
    },
    (stores, given, { now }) => eventsOf(stores, { ...given, until: now }),
    2,
  ),
}

const contents = async (stores: Stores, _: undefined, { now }: Moment): Promise<unknown> => {
  const { emails } = stores
  const lists = await Promise.all(
    workspaces.map((workspace) => emails.list({ ...noFilter, workspace, limit: 100, now })),
  )
  const ids = Array.from({ length: emailCount }, (_unused, own) => emailIdOf(own))
  return {
    lists,
    contents: await Promise.all(ids.map((id) => emails.content(id))),
    purges: inAnyOrder(await emails.duePurges(() => Number.MAX_SAFE_INTEGER, 100)),
    parked: inAnyOrder(await emails.parked({ before: null, limit: 100 })),
    firstDue: await Promise.all(lanes.map((one) => emails.firstDue(one, 100))),
    queue: inAnyOrder(await emails.queueCounts()),
    refunds: inAnyOrder(await emails.pendingRefunds(100)),
    events: await Promise.all(
      workspaces.map((workspace) => eventsOf(stores, { workspace, mode: null, order: 'asc', limit: 100, until: now })),
    ),
  }
}

export const emailDifferences: Comparison<Stores> = {
  name: 'emails and their events',
  sqlite: (db) => ({ emails: sqliteEmails(db), feed: sqliteEventFeed(db), leases: [] }),
  mongo: (db) => ({ emails: mongoEmails(db), feed: mongoEventFeed(db), leases: [] }),
  operations,
  waits: [1_000, leaseMs, minuteMs, hourMs, dayMs, 31 * dayMs, -1_000],
  contents,
  maxOperations: 40,
}
