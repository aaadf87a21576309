import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { maxDeaths } from '@postrider/domain/email/leases.ts'
import { MongoClient } from 'mongodb'
import type { ListRecord } from './records.ts'
import type { System } from './suite.ts'
import { until } from './until.ts'

export type ParkedRecord = {
  id: string
  workspace_id: string
  status: string
  parked_at: string | null
  may_have_arrived: boolean
  recipients: number
}

export const parkedPath = '/api/v1/operator/parked'

/**
 * Sets the number of dead workers of a scheduled email to the limit, and makes it due: the next claim parks it.
 * Resolves when the operator's list has it.
 */
export const parkEmail = async (system: System, id: string): Promise<ParkedRecord> => {
  const { standalone, cluster } = system
  if (standalone) dieInFile(standalone.data, id)
  else if (cluster) await dieInMongo(cluster.mongodbUrl, id)
  else throw new Error('the stores of a service that was running already are not known')
  const operator = system.client.withOperatorToken()
  return until('the email is parked', async () => {
    const { body } = await operator.call<ListRecord<ParkedRecord>>({ path: `${parkedPath}?limit=100` })
    return body.data?.find((one) => one.id === id)
  })
}

const dieInFile = (data: string, id: string): void => {
  using db = new DatabaseSync(join(data, 'postrider.db'), { timeout: 60_000 })
  const die = db.prepare(
    'UPDATE emails SET deaths = ?, next_at = ?, fence = fence + 1 WHERE id = ? AND lease_until IS NULL',
  )
  if (die.run(maxDeaths, Date.now(), id).changes !== 1) throw new Error(`${id} is leased or does not exist`)
}

const dieInMongo = async (url: string, id: string): Promise<void> => {
  const client = await new MongoClient(url, { serverSelectionTimeoutMS: 120_000 }).connect()
  try {
    const now = Date.now()
    const unleased = { _id: id as never, leaseUntil: null }
    const died = { $set: { deaths: maxDeaths, nextAt: now, dueAt: now }, $inc: { fence: 1 } }
    const { modifiedCount } = await client.db().collection('emails').updateOne(unleased, died)
    if (modifiedCount !== 1) throw new Error(`${id} is leased or does not exist`)
  } finally {
    await client.close()
  }
}
