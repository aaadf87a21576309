import {
  domainStatuses,
  isUsable,
  nameClaim,
  type SendingDomain,
  type SigningDomain,
} from '@postrider/domain/domains/domain.ts'
import { jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { mongoOutbox, type Outbox, untilUnchanged } from '../audit/outbox.ts'
import { ignoreDuplicateKey, isDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { secretIdsIn } from '../client/secretIds.ts'
import { slotIn } from '../client/slots.ts'
import { movePendingOf, notPending, pendingPush } from '../events/pending.ts'
import { mongoWorkspaceEvents } from '../events/workspaceEvents.ts'
import { domainChecks } from './checks.ts'
import {
  changedFields,
  type DomainDoc,
  removedFields,
  senderFields,
  signingFields,
  storedFields,
  storedOf,
} from './document.ts'

/*
 * Sending domains of a cluster:
 *
 * domains.ts   the store: inserts, reads, changes by people and by checks, what sending needs
 * document.ts  the stored document and its indexes
 * checks.ts    the queue of checks: claims, leases, counts
 */

export { domainIndexes } from './document.ts'

/** The collection with outboxes that the domains service sweeps. */
export const domainOutboxes = { indexed: ['domains'], events: ['domains'] } as const

/**
 * Creates the store of sending domains on MongoDB. Every change is one write of one document.
 * @param now sets the times of events
 */
export const mongoDomains = (db: Db, now: Clock = Date.now): DomainStore => {
  const domains = db.collection<DomainDoc>('domains')
  const outbox = mongoOutbox(db)
  return withMappedErrors({
    insert: insertDomain(domains, outbox),
    ...documents(domains, outbox, mongoWorkspaceEvents(db, now)),
    ...domainChecks(domains),
    ...secretIds(domains),
    ...hotReads(domains),
  } satisfies DomainStore)
}

/**
 * Inserts a domain with one write, which unique indexes decide: of its id, its name in the workspace, its claimed name,
 * and its slot. A refused write is explained by reads; if these find nothing, another insert had the slot.
 */
const insertDomain =
  (domains: Collection<DomainDoc>, outbox: Outbox): DomainStore['insert'] =>
  async (domain, nextCheckAt, max, audit) => {
    const { id, workspace, name } = domain
    const inWorkspace = { 'domain.workspace': scalar(workspace) }
    const exists = async (filter: Filter<DomainDoc>): Promise<boolean> =>
      (await domains.findOne(filter, { projection: { _id: 1 } })) !== null
    return untilUnchanged(async () => {
      if (await exists({ _id: scalar(id) })) return 'inserted'
      if (await exists({ ...inWorkspace, 'domain.name': scalar(name) })) return 'exists'
      const slot = await slotIn(domains, inWorkspace, { max, id })
      if (slot === null) return 'full'
      if (await exists({ nameClaim: nameClaim(domain) })) return 'taken'
      const doc = { _id: id, slot, fence: 0, ...changedFields(domain, nextCheckAt) }
      return (await ignoreDuplicateKey(() => outbox.insert(domains, doc, audit))) ? 'inserted' : undefined
    }, 'slot')
  }

/** Documents that a list reads in one batch: a page ends after 4 MiB, and one domain may have 100 KiB. */
const listBatch = 50

const documents = (
  domains: Collection<DomainDoc>,
  outbox: Outbox,
  events: WorkspaceEventStore,
): Pick<DomainStore, 'get' | 'byName' | 'list' | 'write' | 'remove'> => {
  const of = (workspace: string) => ({ 'domain.workspace': scalar(workspace) })
  const find = async (filter: object) => {
    const found = await domains.findOne(filter, { projection: storedFields })
    return found && storedOf(found)
  }
  return {
    get: (workspace, id) => find({ _id: scalar(id), ...of(workspace) }),
    byName: (workspace, name) => find({ ...of(workspace), 'domain.name': scalar(name) }),
    list: (workspace, before, limit) =>
      listDomains(domains, before === null ? of(workspace) : { ...of(workspace), _id: { $lt: scalar(before) } }, limit),
    write: async (id, fence, { domain, nextCheckAt, event }, audit) => {
      const unchanged = { _id: scalar(id), fence: scalar(fence) }
      const change = { $set: changedFields(domain, nextCheckAt), $inc: { fence: 1 } }
      const write = async (): Promise<boolean> => {
        if (audit.length === 0 && !event) return (await domains.updateOne(unchanged, change)).matchedCount === 1
        const push = pendingPush(event ? [event] : [])
        return (
          (await outbox.update(domains, unchanged, { ...change, ...push }, audit, { projection: { _id: 1 } })) !== null
        )
      }
      try {
        if (!(await write())) return 'lost'
        // The sweep repeats a move that fails.
        if (event) await movePendingOf(domains, events, id).catch(() => {})
        return 'written'
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return 'taken'
        throw thrown
      }
    },
    remove: (workspace, id, entry) =>
      untilUnchanged(async () => {
        const found = await find({ _id: scalar(id), ...of(workspace) })
        if (!found) return null
        // The removal would lose events that are not in the feed yet.
        await movePendingOf(domains, events, id)
        const unchanged = { _id: scalar(id), fence: found.fence, ...notPending }
        return (await outbox.remove(domains, unchanged, entry(found.domain), removedFields(id)))?.domain
      }),
  }
}

const listDomains = async (
  domains: Collection<DomainDoc>,
  filter: object,
  limit: number,
): ReturnType<DomainStore['list']> => {
  const found = domains
    .find(filter, { projection: { domain: 1 } })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .batchSize(listBatch)
  const room = pageRoom<SendingDomain>(limit)
  // Leaving the loop closes the cursor.
  for await (const { domain } of found) if (!room.add(domain, jsonBytes(domain))) break
  const { items, hasMore } = room.page()
  return { domains: items, hasMore }
}

const usableStatuses = domainStatuses.filter((status) => isUsable({ status }))

const secretIds = (domains: Collection<DomainDoc>): Pick<DomainStore, 'secretIds'> => ({
  secretIds: () => secretIdsIn(domains, { field: 'domain.keys', secretsOf: ({ domain }) => domain.keys }),
})

const hotReads = (domains: Collection<DomainDoc>): Pick<DomainStore, 'senders' | 'signing'> => ({
  senders: async (workspace) => {
    const usable = { 'domain.workspace': scalar(workspace), 'domain.status': { $in: usableStatuses } }
    const found = await domains.find(usable, { projection: senderFields }).toArray()
    return found.map(({ _id: id, domain: { name, subdomains, returnPathVerified } }) => {
      return { id, name, subdomains, returnPathVerified }
    })
  },
  signing: async (id) => {
    const found = await domains.findOne<{ domain: SigningDomain }>(
      { _id: scalar(id), fence: { $gte: 0 } },
      { projection: { _id: 0, ...signingFields } },
    )
    return found?.domain ?? null
  },
})
