import { decideDatabase } from '@postrider/domain/installation.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { Db } from 'mongodb'
import { ignoreDuplicateKey, mapStoreErrors } from './errors.ts'

/** Environment variables of `mongo` in kit/backendSettings.ts. */
export type InstallationConfig = {
  POSTRIDER_INSTALLATION?: string | undefined
  POSTRIDER_INSTALLATION_TAKE_OVER: 'on' | 'off'
}

type InstallationDocument = { _id: 'installation'; name: string; previous?: string }

/**
 * Records to which installation the database belongs, if it belongs to none yet. A process without a name checks
 * nothing: only the chart names its processes, and databases of earlier releases have no record.
 * @throws Fault `conflict`: the database belongs to another installation; `unavailable`: the store does not respond
 */
export const claimDatabase = async (db: Db, config: InstallationConfig): Promise<void> => {
  const { POSTRIDER_INSTALLATION: name, POSTRIDER_INSTALLATION_TAKE_OVER: takeOver } = config
  if (name === undefined) return
  let owner = name
  const attempt = async (): Promise<true | undefined> => {
    owner = await recordedOwner(db, name)
    const decision = decideDatabase({ owner, name, mayTakeOver: takeOver === 'on' })
    if (decision === 'own') return true
    if (decision === 'refuse') throw otherOwnerFault(owner, name)
    const change = { $set: { name, previous: owner } }
    return (await documentsOf(db).updateOne({ _id, name: owner }, change)).matchedCount === 1 || undefined
  }
  await mapStoreErrors(() =>
    retryOnConflict(attempt, { rounds: 'installation', onBusy: () => otherOwnerFault(owner, name) }),
  )
}

const _id = 'installation'

const documentsOf = (db: Db) => db.collection<InstallationDocument>('installation')

/** Returns the installation that owns the database, which is `name` if there was none. */
const recordedOwner = async (db: Db, name: string): Promise<string> => {
  const documents = documentsOf(db)
  const found = await documents.findOne({ _id })
  if (found) return found.name
  if (await ignoreDuplicateKey(() => documents.insertOne({ _id, name }))) return name
  return (await documents.findOne({ _id }))?.name ?? name
}

const otherOwnerFault = (owner: string, name: string): Fault =>
  new Fault(
    'conflict',
    `The database belongs to the installation ${owner}, and this one is ${name}. Use another database and KAFKA_TOPIC_PREFIX, or stop ${owner} and set POSTRIDER_INSTALLATION_TAKE_OVER=on (chart: installation.takeOver=true).`,
  )
