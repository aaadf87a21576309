import { gather } from '@postrider/kit/gather.ts'
import type { Claim, IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { Binary, Collection, Db } from 'mongodb'
import { insertEach, type Update, updateEach } from './client/bulkWrite.ts'
import type { Indexes } from './client/connect.ts'
import { mapStoreErrors, withMappedErrors } from './client/errors.ts'
import { scalar } from './client/scalar.ts'

/** How long a claim without an answer holds its key: its owner died, and its client never came back. */
const abandonedMs = 86_400_000

/** A lease that ended before all time. */
const noLease = 0

/** How often a claim looks again where others change the record under it: each of them made progress meanwhile. */
const mostLooks = 4

/** Two, so that one gathers while the other commits; so few calls in each that it stays small whatever the answers are. */
const gathered = { atOnce: 2, most: 200 }

type Request = Parameters<IdempotencyStore['claim']>[0]

type InFlight = {
  _id: string
  state: 'in_flight'
  fingerprint: Binary | Uint8Array
  emailId: string
  acceptedAt: number
  leaseUntil: number
  /** When sweeping may take it. */
  forgetAt: number
}
type Done = Omit<InFlight, 'state'> & { state: 'done'; status: number; body: string }
type KeyDoc = InFlight | Done

/** For sweeping and `releaseAbandoned`; all else goes by `_id`. */
export const idempotencyIndexes: Indexes = { idempotency_keys: [{ key: { state: 1, forgetAt: 1 } }] }

/** One string for both: the length tells where the scope ends, whatever is in it. */
const idOf = ({ scope, key }: { scope: string; key: string }): string => `${scope.length} ${scope} ${key}`

const leaseOf = ({ at, leaseMs }: Request) => ({ leaseUntil: at + leaseMs, forgetAt: at + leaseMs + abandonedMs })

const docOf = (request: Request): InFlight => ({
  _id: idOf(request),
  state: 'in_flight',
  fingerprint: request.fingerprint,
  emailId: request.emailId,
  acceptedAt: request.at,
  ...leaseOf(request),
})

const firstClaim = ({ emailId, at }: Request): Claim => ({ kind: 'claimed', emailId, acceptedAt: at, takenOver: false })

const isSame = (kept: Binary | Uint8Array, given: Uint8Array): boolean =>
  Buffer.compare(kept instanceof Uint8Array ? kept : kept.value(), given) === 0

/** What a known key answers; null: somebody else changed it in between. */
const claimKnown = async (keys: Collection<KeyDoc>, found: KeyDoc, request: Request): Promise<Claim | null> => {
  const { _id, state, emailId, acceptedAt, leaseUntil, forgetAt } = found
  const unchanged = { _id, state, emailId, leaseUntil, forgetAt }
  if (found.state === 'done' && forgetAt <= request.at) {
    const { _id: _, ...fresh } = docOf(request)
    return (await keys.replaceOne(unchanged, fresh)).matchedCount === 1 ? firstClaim(request) : null
  }
  if (!isSame(found.fingerprint, request.fingerprint)) return { kind: 'mismatch' }
  if (found.state === 'done') return { kind: 'replay', emailId, status: found.status, body: found.body }
  if (leaseUntil > request.at) return { kind: 'in_flight' }
  const taken = await keys.updateOne(unchanged, { $set: leaseOf(request) })
  return taken.matchedCount === 1 ? { kind: 'claimed', emailId, acceptedAt, takenOver: true } : null
}

type Insert = (fresh: InFlight) => Promise<boolean>

const claim = async (keys: Collection<KeyDoc>, insert: Insert, request: Request): Promise<Claim> => {
  for (let look = 0; look < mostLooks; look += 1) {
    if (await insert(docOf(request))) return firstClaim(request)
    const found = await keys.findOne({ _id: idOf(request) })
    const known = found && (await claimKnown(keys, found, request))
    if (known) return known
  }
  return { kind: 'in_flight' }
}

/**
 * Idempotency keys in MongoDB: one document each, so one update decides. A new key costs one insert and, when it is
 * answered, one update; those of a turn share a command, which is most of their cost. Whoever takes a record over names
 * all that it read of it, so of several only one does.
 */
export const mongoIdempotency = (db: Db): IdempotencyStore => {
  const keys = db.collection<KeyDoc>('idempotency_keys')
  const own = (record: { scope: string; key: string }, emailId: string) =>
    ({ _id: idOf(record), state: 'in_flight', emailId: scalar(emailId) }) as const
  const insert = gather<InFlight, boolean>({
    ...gathered,
    run: (fresh) => mapStoreErrors(() => insertEach(keys, fresh)),
  })
  const finish = gather<Update<KeyDoc>, boolean | null>({
    ...gathered,
    run: (updates) => mapStoreErrors(() => updateEach(keys, updates)),
  })
  const store: IdempotencyStore = {
    claim: (request) => claim(keys, insert, request),
    replaceEmail: async ({ from, to, ...record }) =>
      (await keys.updateOne(own(record, from), { $set: { emailId: to } })).matchedCount === 1,
    finish: async ({ emailId, status, body, expiresAt, ...record }) => {
      const update = { $set: { state: 'done', status, body, forgetAt: expiresAt } } as const
      await finish({ filter: own(record, emailId), update })
    },
    release: async ({ emailId, ...record }) => {
      await keys.deleteOne(own(record, emailId))
    },
    releaseAbandoned: async () =>
      (await keys.updateMany({ state: 'in_flight' }, { $set: { leaseUntil: noLease } })).matchedCount,
    sweep: async (now, limit) => {
      const over = { state: { $in: ['in_flight', 'done'] }, forgetAt: { $lte: now } } as const
      const found = await keys
        .find(over, { projection: { _id: 1 } })
        .limit(limit)
        .toArray()
      if (found.length === 0) return 0
      // Asked again: a record taken over since then stays.
      return (await keys.deleteMany({ ...over, _id: { $in: found.map(({ _id }) => _id) } })).deletedCount
    },
  }
  return withMappedErrors(store)
}
