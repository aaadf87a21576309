import {
  type ClaimedDomain,
  nameClaim,
  type SenderDomain,
  type SendingDomain,
  type SigningDomain,
  type StoredDomain,
} from '@postrider/domain/domains/domain.ts'
import type { ObjectId } from 'mongodb'
import { outboxIndex, type WithOutbox } from '../audit/outbox.ts'
import { noLease } from '../client/claimChosen.ts'
import type { Indexes } from '../client/connect.ts'
import { pendingIndex, type WithPending } from '../events/pending.ts'

/** A stored domain. The rules decide on `domain`; the other fields are for guards and the queue. */
export type DomainDoc = WithOutbox &
  WithPending & {
    _id: string
    domain: SendingDomain
    /** One of the slots of the workspace. A unique index on them limits the number of domains. */
    slot: number
    /** See `nameClaim`. */
    nameClaim: string
    nextCheckAt: number
    /** 0: no lease. A number instead of null, so that one range matches domains without a live lease. */
    leaseUntil: number
    fence: number
    /** Id of the last claim of several domains, while its lease may last. */
    claim: ObjectId | null
  }

/** The index of each query. Writes, leases, `signing` and reads of one domain find it by `_id`. */
export const domainIndexes: Indexes = {
  domains: [
    // One workspace has a name verified.
    { key: { nameClaim: 1 }, unique: true },
    // One domain of a name in a workspace: inserts, and reads by name.
    { key: { 'domain.workspace': 1, 'domain.name': 1 }, unique: true },
    // The limit of a workspace.
    { key: { 'domain.workspace': 1, slot: 1 }, unique: true },
    // The oldest due checks; overdue ones.
    { key: { nextCheckAt: 1, leaseUntil: 1, _id: 1 } },
    // Leases, and the first check without one: `nextDue`, `clearLeases`.
    { key: { leaseUntil: 1, nextCheckAt: 1 } },
    // Lists.
    { key: { 'domain.workspace': 1, _id: -1 } },
    // Usable domains of a workspace: the index has all that the choice of a sender reads.
    {
      key: {
        'domain.workspace': 1,
        'domain.status': 1,
        'domain.name': 1,
        'domain.subdomains': 1,
        'domain.returnPathVerified': 1,
        _id: 1,
      },
    },
    // Domains by status: `counts`.
    { key: { 'domain.status': 1 } },
    outboxIndex,
    pendingIndex,
  ],
}

/**
 * Returns the document of a removed domain until its audit entry is moved, with values that are unique in the unique
 * indexes. It has no fence, no lease and no status, so no query of this store finds it.
 */
export const removedFields = (id: string) => ({ domain: { workspace: '', name: id }, slot: id, nameClaim: id })

/** Returns the fields that a change of the domain writes. */
export const changedFields = (domain: SendingDomain, nextCheckAt: number) => ({
  domain,
  nameClaim: nameClaim(domain),
  nextCheckAt,
  ...noLease,
})

/** The fields that `storedOf` reads. */
export const storedFields = { domain: 1, nextCheckAt: 1, leaseUntil: 1, fence: 1 } as const
type Stored = Pick<DomainDoc, keyof typeof storedFields>

export const storedOf = ({ domain, nextCheckAt, leaseUntil, fence }: Stored): StoredDomain => ({
  domain,
  nextCheckAt,
  leaseUntil: leaseUntil === 0 ? null : leaseUntil,
  fence,
})

export const claimedOf = ({ domain, fence }: Pick<Stored, 'domain' | 'fence'>): ClaimedDomain => ({ domain, fence })

/** Fields of a sender domain except its id, which is in the index as `_id`. */
export const senderFields = {
  'domain.name': 1,
  'domain.subdomains': 1,
  'domain.returnPathVerified': 1,
} as const satisfies Record<`domain.${Exclude<keyof SenderDomain, 'id'>}`, 1>

export const signingFields = {
  'domain.id': 1,
  'domain.workspace': 1,
  'domain.name': 1,
  'domain.status': 1,
  'domain.keys': 1,
  'domain.returnPathVerified': 1,
  'domain.lastCheck': 1,
} as const satisfies Record<`domain.${keyof SigningDomain}`, 1>
