import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { domainStatuses } from '@postrider/domain/domains/domain.ts'
import { hourMs, minuteMs } from '@postrider/domain/time.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import { domain, fullDomain } from '@postrider/ports/domainsFixtures.conformance.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, type Moment, newIdOf, operationsOn, rarely, timeOf } from './compare.ts'

type Stores = {
  domains: DomainStore
  feed: EventFeed
  audit: Audit
  /** What was inserted, whether the store accepted it or not. */
  inserted: { workspace: string; id: string }[]
  /** What was claimed, and perhaps lost since. */
  claimed: { id: string; fence: number }[]
}

const operation = operationsOn<Stores>()

const leaseMs = minuteMs
const pick = fc.nat({ max: 4 })
const workspace = fc.constantFrom('ws_1', 'ws_2', 'platform')
const name = fc.constantFrom('example.com', 'example.org')
const status = fc.constantFrom(...domainStatuses)

const none = { workspace: '', id: '' }
const chosen = ({ inserted }: Stores, index: number) => inserted[index % inserted.length] ?? none
const entryOf = (moment: Moment, of: string) =>
  anEntry({ id: newIdOf('aud', moment), workspace: of, at: timeOf(moment) })

const operations = {
  insert: operation(
    { workspace, name, status, isFull: fc.boolean(), max: fc.constantFrom(1, 2, 9), dueMs: fc.constantFrom(0, hourMs) },
    ({ domains, inserted }, given, moment) => {
      const of = { id: newIdOf('dom', moment), workspace: given.workspace, name: given.name, status: given.status }
      const one = { ...(given.isFull ? fullDomain(of) : domain(of)), createdAt: timeOf(moment) }
      inserted.push({ workspace: one.workspace, id: one.id })
      const events = one.events.map((event) => ({ ...event, id: newIdOf('evt', moment) }))
      return domains.insert({ ...one, events }, timeOf(moment) + given.dueMs, given.max, entryOf(moment, one.workspace))
    },
    5,
  ),
  insertAgain: operation({ of: pick }, async (stores, given, moment) => {
    const { workspace: of, id } = chosen(stores, given.of)
    const stored = await stores.domains.get(of, id)
    return stored && stores.domains.insert(stored.domain, timeOf(moment), 9, entryOf(moment, of))
  }),
  write: operation(
    {
      of: pick,
      status,
      isStale: rarely,
      hasEvent: fc.boolean(),
      entries: fc.nat({ max: 2 }),
      secret: fc.constantFrom('s1', 's2'),
    },
    async (stores, given, moment) => {
      const { workspace: of, id } = chosen(stores, given.of)
      const stored = await stores.domains.get(of, id)
      if (stored === null) return null
      const keys = stored.domain.keys.map((key) => ({
        ...key,
        sealed: key.sealed && { ...key.sealed, secretId: given.secret },
      }))
      const changed = { ...stored.domain, status: given.status, keys }
      const event = {
        id: newIdOf('evt', moment),
        type: 'domain.verified' as const,
        workspace: of,
        mode: 'live' as const,
        data: { domain_id: id },
      }
      const update = { domain: changed, nextCheckAt: timeOf(moment) + minuteMs, ...(given.hasEvent && { event }) }
      const entry = entryOf(moment, of)
      const entries = [entry, { ...entry, id: `${entry.id}_2` }].slice(0, given.entries)
      return stores.domains.write(id, stored.fence + (given.isStale ? 1 : 0), update, entries)
    },
    5,
  ),
  remove: operation({ of: pick, isOther: rarely }, (stores, given, moment) => {
    const { workspace: of, id } = chosen(stores, given.of)
    return stores.domains.remove(given.isOther ? 'ws_9' : of, id, () => entryOf(moment, of))
  }),
  // Claims one at a time, so that no two leases end at the same time.
  claim: operation(
    {},
    async ({ domains, claimed }, _, { now, step }) => {
      const found = await domains.claim({ now, limit: 1, leaseMs: leaseMs + step })
      claimed.push(...found.map(({ domain: { id }, fence }) => ({ id, fence })))
      return found
    },
    4,
  ),
  claimOne: operation({ of: pick }, async (stores, given, { now, step }) => {
    const found = await stores.domains.claimOne(chosen(stores, given.of).id, now, leaseMs + step)
    if (found) stores.claimed.push({ id: found.domain.id, fence: found.fence })
    return found
  }),
  writeClaimed: operation(
    { of: pick, status },
    async ({ domains, claimed }, given, moment) => {
      const lease = claimed.at(-1 - given.of)
      const signing = lease && (await domains.signing(lease.id))
      const stored = signing && (await domains.get(signing.workspace, signing.id))
      if (!lease || !stored) return null
      const update = { domain: { ...stored.domain, status: given.status }, nextCheckAt: timeOf(moment) + hourMs }
      return domains.write(lease.id, lease.fence, update, [])
    },
    2,
  ),
  release: operation({ of: pick }, ({ domains, claimed }, given) => domains.release(claimed.slice(given.of))),
  clearLeases: operation({}, ({ domains }) => domains.clearLeases()),
  byName: operation({ workspace, name }, ({ domains }, given) => domains.byName(given.workspace, given.name)),
  list: operation(
    { workspace, before: fc.option(pick, { nil: null }), limit: fc.constantFrom(1, 2, 9) },
    (stores, given) => {
      const before = given.before === null ? null : chosen(stores, given.before).id
      return stores.domains.list(given.workspace, before, given.limit)
    },
  ),
  senders: operation({ workspace }, async ({ domains }, given, { now }) => [
    inAnyOrder(await domains.senders(given.workspace)),
    await domains.nextDue(),
    await domains.counts(now),
    inAnyOrder(await domains.secretIds()),
  ]),
}

const contents = async (
  { domains, feed, audit, inserted }: Stores,
  _: undefined,
  { now }: Moment,
): Promise<unknown> => {
  const ofFeed = { mode: null, order: 'asc', after: null, until: now, limit: 1_000 } as const
  return {
    stored: await Promise.all(inserted.map((one) => domains.get(one.workspace, one.id))),
    signing: await Promise.all(inserted.map(({ id }) => domains.signing(id))),
    counts: await domains.counts(now),
    events: await Promise.all(
      ['ws_1', 'ws_2'].map(async (of) => (await feed.readEvents({ ...ofFeed, workspace: of })).events),
    ),
    audit: inAnyOrder(await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 })),
  }
}

export const domainDifferences: Comparison<Stores> = {
  name: 'sending domains',
  sqlite: (db, moment) => ({
    domains: sqliteDomains(db, () => moment.now),
    feed: sqliteEventFeed(db),
    audit: sqliteAudit(db),
    inserted: [],
    claimed: [],
  }),
  mongo: (db, moment) => ({
    domains: mongoDomains(db, () => moment.now),
    feed: mongoEventFeed(db),
    audit: mongoAudit(db),
    inserted: [],
    claimed: [],
  }),
  operations,
  waits: [1_000, leaseMs, hourMs, -1_000],
  contents,
  maxOperations: 40,
}
