import {
  type Claim,
  type ClaimRequest,
  decide,
  endedLease,
  forgetAt,
  type KeyRecord,
  type Lease,
} from '@postrider/domain/idempotency/claim.ts'
import { batcher } from '@postrider/kit/batcher.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import { charactersOfStep } from '@postrider/mail/steps.ts'
import type { IdempotencyStore, ResponseChange } from '@postrider/ports/idempotency.ts'
import type { Binary, Collection, Db, Filter } from 'mongodb'
import { untilUnchanged } from './audit/outbox.ts'
import { batchLimits, insertEach, type Update, updateEach } from './client/bulkWrite.ts'
import type { Indexes } from './client/connect.ts'
import { mapStoreErrors, withMappedErrors } from './client/errors.ts'
import { scalar } from './client/scalar.ts'

type InFlight = {
  _id: string
  state: 'in_flight'
  fingerprint: Binary | Uint8Array
  emailId: string
  acceptedAt: number
  leaseUntil: number
  /** Absent from records of an earlier release. Such a process takes over without a change of this field. */
  requestId?: string | null
  /** When the sweep may delete the record. */
  forgetAt: number
}
/** `forgetAt` is when the response expires. */
type Done = Omit<InFlight, 'state'> & {
  state: 'done'
  status: number
  body: string
  /** Number of changes of the body; absent: none, or by an earlier release. */
  revision?: number
}
type KeyDoc = InFlight | Done

/** Index for the sweep and `releaseAbandoned`; all other operations use `_id`. */
export const idempotencyIndexes: Indexes = { idempotency_keys: [{ key: { state: 1, forgetAt: 1 } }] }

/** Joins scope and key. The length marks where the scope ends, because the scope may contain spaces. */
const idOf = ({ scope, key }: { scope: string; key: string }): string => `${scope.length} ${scope} ${key}`

/** Returns the scope and the key of a record. */
const keyOf = (id: string): { scope: string; key: string } => {
  const from = id.indexOf(' ') + 1
  const to = from + Number.parseInt(id, 10)
  return { scope: id.slice(from, to), key: id.slice(to + 1) }
}

const keyFields = { emailId: 1, acceptedAt: 1 } as const

/** Maximum length of the scope after the workspace: mode, method and path. */
const maxScopeLength = 200

/**
 * Returns the condition of all keys of a workspace: their `_id`s begin with the length of the scope, and then the
 * workspace.
 */
export const keysOfWorkspace = (workspace: string) => ({
  $or: Array.from({ length: maxScopeLength }, (_, more) => {
    const prefix = `${workspace.length + 1 + more} ${workspace}`
    return { _id: { $gte: `${prefix} `, $lt: `${prefix}!` } }
  }),
})

const leaseFields = (acceptedAt: number, leaseUntil: number) => ({
  leaseUntil,
  forgetAt: forgetAt({ acceptedAt, leaseUntil }),
})

const fieldsOf = ({ fingerprint, emailId, acceptedAt, leaseUntil, requestId }: KeyRecord) =>
  ({ state: 'in_flight', fingerprint, emailId, acceptedAt, requestId, ...leaseFields(acceptedAt, leaseUntil) }) as const

const recordOf = (doc: KeyDoc): KeyRecord => ({
  fingerprint: doc.fingerprint instanceof Uint8Array ? doc.fingerprint : doc.fingerprint.value(),
  emailId: doc.emailId,
  acceptedAt: doc.acceptedAt,
  leaseUntil: doc.leaseUntil,
  requestId: doc.requestId ?? null,
  response: doc.state === 'done' ? { status: doc.status, body: doc.body, expiresAt: doc.forgetAt } : null,
})

/** Returns the filter of a record whose lease is the request's. */
const underLease = ({ requestId, leaseUntil, ...record }: Lease) =>
  ({ _id: idOf(record), state: 'in_flight', requestId: scalar(requestId), leaseUntil: scalar(leaseUntil) }) as const

/** Returns the filter of a record in flight whose email has this id. */
const withEmail = (record: { scope: string; key: string }, emailId: string) =>
  ({ _id: idOf(record), state: 'in_flight', emailId: scalar(emailId) }) as const

/**
 * Idempotency keys in MongoDB, one document per key. A decision becomes one update whose filter names every field the
 * decision was made on, so of several requests one wins and the others decide again. A new key costs one insert, and
 * one update for its response; those of an event loop iteration share a command, which is most of their cost.
 * @param slices runs the changes of long responses
 */
export const mongoIdempotency = (db: Db, slices: Slices = makeSlices()): IdempotencyStore => {
  const keys = db.collection<KeyDoc>('idempotency_keys')
  const insert = batcher<InFlight, boolean>({
    ...batchLimits,
    run: (docs) => mapStoreErrors(() => insertEach(keys, docs)),
  })
  const finish = batcher<Update<KeyDoc>, boolean | null>({
    ...batchLimits,
    run: (updates) => mapStoreErrors(() => updateEach(keys, updates)),
  })

  const store: IdempotencyStore = {
    claim: async (request) => {
      let found: KeyDoc | null = null
      const attempt = async (): Promise<Claim | undefined> => {
        const claim = await tryClaim({ keys, insert }, found, request)
        if (claim) return claim
        found = await keys.findOne({ _id: idOf(request) })
        return undefined
      }
      return retryOnConflict(attempt, { rounds: 'forwardState', onBusy: (): Claim => ({ kind: 'in_flight' }) })
    },
    hasResponse: async (key, now) => {
      const answered = { _id: idOf(key), state: 'done', forgetAt: { $gt: now } } as const
      return (await keys.findOne(answered, { projection: { _id: 1 } })) !== null
    },
    replaceEmail: async ({ from, to, ...record }) =>
      (await keys.updateOne(withEmail(record, from), { $set: { emailId: to } })).matchedCount === 1,
    finish: async ({ emailId, status, body, expiresAt, ...record }) => {
      const update = { $set: { state: 'done', status, body, forgetAt: expiresAt } } as const
      await finish({ filter: withEmail(record, emailId), update })
    },
    release: async ({ emailId, ...lease }) => {
      await keys.deleteOne({ ...underLease(lease), emailId: scalar(emailId) })
    },
    // `forgetAt` stays: the sweep deletes the record a day after the lease that ends here.
    endLease: async (lease) => {
      await finish({ filter: underLease(lease), update: { $set: { leaseUntil: endedLease } } })
    },
    releaseAbandoned: async () =>
      (await keys.updateMany({ state: 'in_flight' }, { $set: { leaseUntil: endedLease } })).matchedCount,
    inFlight: async (workspace) => {
      const found = keys.find({ state: 'in_flight', ...keysOfWorkspace(scalar(workspace)) }, { projection: keyFields })
      return (await found.toArray()).map(({ _id, emailId, acceptedAt }) => ({ ...keyOf(_id), emailId, acceptedAt }))
    },
    ...responseChanges(keys, slices),
    sweep: async (now, limit) => {
      const expired = { state: { $in: ['in_flight', 'done'] }, forgetAt: { $lte: now } } as const
      const found = await keys
        .find(expired, { projection: { _id: 1 } })
        .limit(limit)
        .toArray()
      if (found.length === 0) return 0
      // `expired` is repeated: a record that was taken over since the read stays.
      return (await keys.deleteMany({ ...expired, _id: { $in: found.map(({ _id }) => _id) } })).deletedCount
    },
  }
  return withMappedErrors(store)
}

/** Condition of a record that has a response. */
type Answered = { state: 'done'; emailId?: string }

type Stored = Pick<Done, 'emailId' | 'body' | 'revision'>
/** The driver wrote the text from a string: to check its encoding again takes half of the time of reading it. */
const readStored = { projection: { emailId: 1, body: 1, revision: 1 }, enableUtf8Validation: false } as const

const onlyIds = { projection: { _id: 1 } } as const

/** Changes stored responses, for erasures: one after the other, in slices, because responses to batches are long. */
const responseChanges = (
  keys: Collection<KeyDoc>,
  slices: Slices,
): Pick<IdempotencyStore, 'replaceResponses' | 'changeResponses'> => {
  const changeEach = async (
    ids: readonly { _id: string }[],
    answered: Answered,
    owner: Slices,
    change: ResponseChange,
  ): Promise<void> => {
    const changeOne = async (_id: string): Promise<true | undefined> => {
      const found = await keys.findOne<Stored>({ ...answered, _id }, readStored)
      if (found === null) return true
      const { emailId, revision = null } = found
      const body = await owner.run(change(found.body))
      if (body === found.body) return true
      await nextSlice(owner)
      // Another change of the response must not be lost. Release 0.1 changes no revision, so a short body is
      // compared too. A long one is not sent: of two long ones the driver cannot make one command.
      const isShort = found.body.length <= charactersOfStep
      const same = { _id, state: 'done', emailId, revision, ...(isShort && { body: found.body }) } as Filter<KeyDoc>
      return (await keys.updateOne(same, { $set: { body }, $inc: { revision: 1 } })).matchedCount === 1 || undefined
    }
    for (const { _id } of ids) await untilUnchanged(() => changeOne(_id))
  }
  return {
    replaceResponses: async (workspace, changes) => {
      const ofWorkspace = keysOfWorkspace(scalar(workspace))
      // One read of all keys of the workspace for all changes.
      const emailIds = changes.map(({ emailId }) => scalar(emailId))
      const answered = { ...ofWorkspace, state: 'done', emailId: { $in: emailIds } } as Filter<KeyDoc>
      const found = await keys.find(answered, { projection: { emailId: 1 } }).toArray()
      const byEmail = Map.groupBy(found, ({ emailId }) => emailId)
      for (const { emailId, change } of changes) {
        const ids = byEmail.get(emailId) ?? []
        await changeEach(ids, { state: 'done', emailId: scalar(emailId) }, slices.of(workspace), change)
      }
    },
    changeResponses: async (scope, { after, limit }, change) => {
      const answered = { state: 'done' } as const
      const end = `${idOf({ scope, key: '' }).slice(0, -1)}!`
      const next = keys.find({ _id: { $gt: idOf({ scope, key: after }), $lt: end }, ...answered }, onlyIds)
      const ids = await next.sort({ _id: 1 }).limit(limit).toArray()
      await changeEach(ids, answered, slices.of(scope), change)
      const last = ids.at(-1)
      return last === undefined || ids.length < limit ? null : keyOf(last._id).key
    },
  }
}

type Writers = { keys: Collection<KeyDoc>; insert: (doc: InFlight) => Promise<boolean> }

/** Decides on a record and writes the decision. @returns null: the record changed since it was read */
const tryClaim = async (
  { keys, insert }: Writers,
  found: KeyDoc | null,
  request: ClaimRequest,
): Promise<Claim | null> => {
  const decision = decide(found && recordOf(found), request)
  if (decision.write === null) return decision.claim
  if (found === null) {
    const isNew = decision.write === 'create' && (await insert({ _id: idOf(request), ...fieldsOf(decision.record) }))
    return isNew ? decision.claim : null
  }
  const { _id, state, emailId, acceptedAt, leaseUntil, forgetAt } = found
  const unchanged = { _id, state, emailId, leaseUntil, forgetAt }
  const written =
    decision.write === 'create'
      ? await keys.replaceOne(unchanged, fieldsOf(decision.record))
      : await keys.updateOne(unchanged, {
          $set: { ...leaseFields(acceptedAt, decision.leaseUntil), requestId: decision.requestId },
        })
  return written.matchedCount === 1 ? decision.claim : null
}
