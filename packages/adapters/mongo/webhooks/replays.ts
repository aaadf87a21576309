import { neverMs } from '@postrider/domain/time.ts'
import { type ClaimedReplay, replayDueAt, type WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import type { WebhookReplayStore } from '@postrider/ports/webhookReplays.ts'
import type { Db } from 'mongodb'
import { mongoOutbox, outboxIndex, type WithOutbox } from '../audit/outbox.ts'
import { writeAll } from '../client/bulkWrite.ts'
import type { Indexes } from '../client/connect.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'

/** A stored replay. */
type ReplayDoc = WithOutbox & {
  _id: string
  replay: WebhookReplay
  /** The endpoint while the replay runs, then its own id: an endpoint has one replay that runs. */
  running: string
  /** When it may be claimed: at its creation, or when its lease ends. `neverMs`: it has ended. */
  dueAt: number
  fence: number
}

export const webhookReplayIndexes: Indexes = {
  webhook_replays: [
    { key: { running: 1 }, unique: true },
    { key: { dueAt: 1 } },
    { key: { 'replay.endpoint': 1, _id: -1 } },
    // Erasure.
    { key: { 'replay.workspace': 1 } },
    outboxIndex,
  ],
}

const claimFieldsOf = (replay: WebhookReplay, leaseUntil: number | null) => {
  const dueAt = replayDueAt(replay, leaseUntil)
  return dueAt === null ? { running: replay.id, dueAt: neverMs } : { running: replay.endpoint, dueAt }
}

/** Creates the store of replays on MongoDB. */
export const mongoWebhookReplays = (db: Db): WebhookReplayStore => {
  const replays = db.collection<ReplayDoc>('webhook_replays')
  const outbox = mongoOutbox(db)
  return withMappedErrors({
    insert: async (replay, audit) => {
      const doc = { _id: replay.id, replay, ...claimFieldsOf(replay, null), fence: 0 }
      if (await ignoreDuplicateKey(() => outbox.insert(replays, doc, audit))) return 'inserted'
      return (await replays.findOne({ _id: scalar(replay.id) }, { projection: { _id: 1 } })) ? 'inserted' : 'running'
    },
    get: async (endpoint, id) => {
      const filter = { 'replay.endpoint': scalar(endpoint), ...(id !== null && { _id: scalar(id) }) }
      return (await replays.findOne(filter, { projection: { replay: 1 }, sort: { _id: -1 } }))?.replay ?? null
    },
    newest: async (endpoints) => {
      // One lookup in the index each: a query over all of them would read every replay that is stored.
      const newestOf = (endpoint: string) =>
        replays.findOne({ 'replay.endpoint': scalar(endpoint) }, { projection: { replay: 1 }, sort: { _id: -1 } })
      const found = await Promise.all(endpoints.map(newestOf))
      return new Map(found.flatMap((doc) => (doc ? [[doc.replay.endpoint, doc.replay] as const] : [])))
    },
    claim: async ({ now, limit, leaseMs, except }) => {
      const others = except.length === 0 ? {} : { 'replay.workspace': { $nin: except.map(scalar) } }
      const claimed: ClaimedReplay[] = []
      while (claimed.length < limit) {
        const found = await replays.findOneAndUpdate(
          { dueAt: { $lte: now }, ...others },
          { $set: { dueAt: now + leaseMs }, $inc: { fence: 1 } },
          { returnDocument: 'after', projection: { replay: 1, fence: 1 }, sort: { dueAt: 1 } },
        )
        if (!found) break
        claimed.push({ replay: found.replay, fence: found.fence })
      }
      return claimed
    },
    write: async (id, fence, replay, leaseUntil) => {
      const mine = { _id: scalar(id), fence: scalar(fence), dueAt: { $lt: neverMs } }
      return (
        (await replays.updateOne(mine, { $set: { replay, ...claimFieldsOf(replay, leaseUntil) } })).matchedCount === 1
      )
    },
    clearLeases: async () => {
      const isRunning = { dueAt: { $lt: neverMs } }
      const running = replays.find(isRunning, { projection: { replay: 1, fence: 1 } })
      const ended = (await running.toArray()).map(({ _id, replay, fence }) => ({
        updateOne: { filter: { _id, fence, ...isRunning }, update: { $set: claimFieldsOf(replay, null) } },
      }))
      await writeAll(replays, ended)
    },
    removeOf: async (endpoint) => (await replays.deleteMany({ 'replay.endpoint': scalar(endpoint) })).deletedCount,
    removeBefore: async (at) =>
      (await replays.deleteMany({ dueAt: neverMs, 'replay.endedAt': { $lt: at } })).deletedCount,
  } satisfies WebhookReplayStore)
}
