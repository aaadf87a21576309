import { randomInt } from 'node:crypto'
import process from 'node:process'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import { accountDifferences } from './differences/accounts.ts'
import { batchDifferences } from './differences/batches.ts'
import { billingDifferences } from './differences/billing.ts'
import { type Comparison, compareStores } from './differences/compare.ts'
import { domainDifferences } from './differences/domains.ts'
import { emailDifferences } from './differences/emails.ts'
import { noticeDifferences } from './differences/notifications.ts'
import { reputationDifferences } from './differences/reputation.ts'
import { requestDifferences } from './differences/requests.ts'
import { statisticsDifferences } from './differences/statistics.ts'
import { templateDifferences } from './differences/templates.ts'
import { testClockDifferences } from './differences/testClocks.ts'
import { webhookDifferences } from './differences/webhooks.ts'
import { workspaceErasureDifferences } from './differences/workspaceErasure.ts'
import { reusedMongoForTests } from './mongo.ts'

const isLong = process.env['POSTRIDER_FUZZ'] === 'long'
/** Random sequences of operations on the stores of each comparison. */
const runs = Number(process.env['POSTRIDER_FUZZ_RUNS'] ?? (isLong ? 500 : 2))

describe('the stores of SQLite and MongoDB', () => {
  const seed = Number(process.env['POSTRIDER_FUZZ_SEED'] ?? randomInt(2 ** 31))
  const mongo = reusedMongoForTests(allIndexes)

  before(() => {
    process.stdout.write(`      seed ${seed} (POSTRIDER_FUZZ_SEED)\n`)
  })

  const compare = <Stores>(comparison: Comparison<Stores>): void => {
    const maxMs = 10_000 * runs + 200_000
    it(`return the same for ${comparison.name}`, async () => {
      await compareStores(comparison, { runs, seed, mongo, maxMs })
    }).timeout(maxMs + 100_000)
  }

  compare(emailDifferences)
  compare(batchDifferences)
  compare(accountDifferences)
  compare(billingDifferences)
  compare(webhookDifferences)
  compare(domainDifferences)
  compare(templateDifferences)
  compare(requestDifferences)
  compare(noticeDifferences)
  compare(statisticsDifferences)
  compare(reputationDifferences)
  compare(testClockDifferences)
  compare(workspaceErasureDifferences)
})
