import { mongoReputation } from '@postrider/adapters/mongo/notifications/reputation.ts'
import { sqliteReputation } from '@postrider/adapters/sqlite/notifications/reputation.ts'
import type { Reputation } from '@postrider/domain/reputation/reputation.ts'
import { dayMs, dayStart, hourMs } from '@postrider/domain/time.ts'
import type { ReputationStore } from '@postrider/ports/reputation.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, operationsOn } from './compare.ts'

type Stores = { reputation: ReputationStore }

const operation = operationsOn<Stores>()

const start = Date.UTC(2026, 10, 28, 22)
const workspaces = ['ws_1', 'ws_1a', 'ws_2']
const workspace = fc.constantFrom(...workspaces)
/** Hours of two days. */
const hour = fc.constantFrom(-24, -1, 0, 1, 2, 3).map((hours) => start + hours * hourMs)
const count = fc.constantFrom(0, 0, 1, 2)
const outcomes = fc.record({ workspace, hour, delivered: count, bounced: count, complained: count })
const level = fc.record({ level: fc.constantFrom('good', 'warning', 'critical'), rises: count })
const levels = fc.dictionary(fc.constantFrom('bounce 24h', 'complaint 30d'), level, { noNullPrototype: true })

const operations = {
  add: operation(
    { counts: fc.array(outcomes, { maxLength: 3 }) },
    ({ reputation }, { counts }) => reputation.addOutcomes(counts),
    5,
  ),
  troubled: operation({ hour }, async ({ reputation }, given) => inAnyOrder(await reputation.troubled(given.hour)), 2),
  outcomes: operation(
    { workspace, hour },
    async ({ reputation }, given) => inAnyOrder(await reputation.outcomes(given.workspace, given.hour)),
    2,
  ),
  write: operation(
    { workspace, levels: levels as fc.Arbitrary<Reputation>, version: fc.constantFrom(null, 0, 1, 2) },
    async ({ reputation }, given) => {
      const stored = await reputation.reputation(given.workspace)
      return [stored, await reputation.writeReputation(given.workspace, given.levels, given.version ?? stored.version)]
    },
    3,
  ),
  // A store may have one record for a day.
  remove: operation({ hour: hour.map(dayStart), limit: fc.constantFrom(1, 2, 100) }, async ({ reputation }, given) => {
    while ((await reputation.removeOutcomes(given.hour, given.limit)) === given.limit);
  }),
}

const contents = async ({ reputation }: Stores): Promise<unknown> => {
  const of = async (one: string) => [await reputation.reputation(one), inAnyOrder(await reputation.outcomes(one, 0))]
  return [await Promise.all(workspaces.map(of)), inAnyOrder(await reputation.troubled(0))]
}

export const reputationDifferences: Comparison<Stores> = {
  name: 'outcomes and reputations of workspaces',
  sqlite: (db) => ({ reputation: sqliteReputation(db) }),
  mongo: (db) => ({ reputation: mongoReputation(db) }),
  operations,
  waits: [dayMs],
  contents,
  maxOperations: 40,
}
