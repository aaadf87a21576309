import { hasOutcomes, isRaised, type Outcomes, type Reputation } from '@postrider/domain/reputation/reputation.ts'
import { dayMs, dayOf, dayStart, hourMs } from '@postrider/domain/time.ts'
import type { ReputationStore } from '@postrider/ports/reputation.ts'
import type { Db } from 'mongodb'
import { insertEach, upsertAll, withoutRefusals } from '../client/bulkWrite.ts'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'

/** The outcomes of a workspace on one UTC day; `hours` are named by two digits. `_id`: `<workspace> <YYYY-MM-DD>`. */
type DayDoc = {
  _id: string
  workspace: string
  day: number
  hours: Record<string, Partial<Outcomes>>
  /** The last hour with a bounce or a complaint; absent: there is none. */
  troubledAt?: number
}

/** `reputation` is JSON. */
type ReputationDoc = { _id: string; raised: boolean; version: number; reputation: string }

export const reputationIndexes: Indexes = {
  outcome_days: [{ key: { troubledAt: 1 } }, { key: { day: 1 } }],
  reputations: [{ key: { raised: 1 } }],
}

const hourName = (hour: number): string => String((hour % dayMs) / hourMs).padStart(2, '0')

/** Outcomes and reputations in MongoDB. */
export const mongoReputation = (db: Db): ReputationStore => {
  const days = db.collection<DayDoc>('outcome_days')
  const reputations = db.collection<ReputationDoc>('reputations')
  return withMappedErrors({
    addOutcomes: async (counts) => {
      const updates = counts.filter(hasOutcomes).map(({ workspace, hour, ...outcomes }) => {
        const isTroubled = outcomes.bounced + outcomes.complained > 0
        const fields = Object.entries(outcomes).filter(([, count]) => count > 0)
        return {
          filter: { _id: `${workspace} ${dayOf(hour)}` },
          update: {
            $set: { workspace: scalar(workspace), day: dayStart(hour) },
            $inc: Object.fromEntries(fields.map(([name, count]) => [`hours.${hourName(hour)}.${name}`, count])),
            ...(isTroubled && { $max: { troubledAt: hour } }),
          },
        }
      })
      await upsertAll(days, updates)
    },
    troubled: async (since) => {
      const recent = await days.find({ troubledAt: { $gte: since } }, { projection: { workspace: 1 } }).toArray()
      const raised = await reputations.find({ raised: true }, { projection: { _id: 1 } }).toArray()
      return [...new Set([...recent.map(({ workspace }) => workspace), ...raised.map(({ _id }) => _id)])]
    },
    outcomes: async (workspace, since) => {
      // The ids of one workspace sort by day.
      const range = { $gte: `${workspace} ${dayOf(since)}`, $lt: `${workspace}!` }
      const found = await days.find({ _id: range }).toArray()
      return found
        .flatMap(({ day, hours }) =>
          Object.entries(hours).map(([name, { delivered = 0, bounced = 0, complained = 0 }]) => ({
            at: day + Number(name) * hourMs,
            delivered,
            bounced,
            complained,
          })),
        )
        .filter(({ at }) => at >= since)
    },
    reputation: async (workspace) => {
      const found = await reputations.findOne({ _id: scalar(workspace) })
      if (found === null) return { reputation: {}, version: 0 }
      return { reputation: JSON.parse(found.reputation) as Reputation, version: found.version }
    },
    writeReputation: async (workspace, reputation, version) => {
      const fields = { raised: isRaised(reputation), reputation: JSON.stringify(reputation) }
      if (version === 0) {
        const doc = { _id: scalar(workspace), version: 1, ...fields }
        return withoutRefusals(await insertEach(reputations, [doc]))[0] === true
      }
      const same = { _id: scalar(workspace), version: scalar(version) }
      return (await reputations.updateOne(same, { $set: fields, $inc: { version: 1 } })).matchedCount === 1
    },
    removeOutcomes: async (before, limit) => {
      const old = days.find({ day: { $lt: dayStart(before) } }, { projection: { _id: 1 } })
      const ids = (await old.limit(limit).toArray()).map(({ _id }) => _id)
      return ids.length === 0 ? 0 : (await days.deleteMany({ _id: { $in: ids } })).deletedCount
    },
  } satisfies ReputationStore)
}
