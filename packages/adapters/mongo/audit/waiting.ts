import type { Db, Document } from 'mongodb'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { docOf, type EntryDoc } from './document.ts'
import { type DocumentKey, noticePages } from './notices.ts'
import type { WithOutbox } from './outbox.ts'

/** The collections that have `outboxIndex`. Only the services that own them move the entries. */
export const outboxCollections = [
  'allowances',
  'api_keys',
  'domains',
  'erasures',
  'invoices',
  'notification_preferences',
  'sessions',
  'templates',
  'test_clocks',
  'users',
  'webhook_endpoints',
  'webhook_replays',
  'workspaces',
] as const

const onlyOutbox = { projection: { outbox: 1 } }

/**
 * Copies the entries of a workspace that wait in outboxes to the log. They stay in their documents until the service
 * that owns these moves them, which does not change entries that are in the log.
 */
export const copyWaiting = async (db: Db, workspace: string): Promise<void> => {
  const log = db.collection<EntryDoc>('audit_log')
  const copy = async ({ outbox = [] }: WithOutbox): Promise<void> => {
    const own = outbox.filter((entry) => entry.workspace === workspace)
    withoutRefusals(await insertEach(log, own.map(docOf)))
  }
  const documents = (name: string) => db.collection<WithOutbox & Document & { _id: string }>(name)
  for (const name of outboxCollections) {
    const waiting = { 'outbox.at': { $gte: 0 }, 'outbox.workspace': workspace }
    for await (const found of documents(name).find(waiting, onlyOutbox)) await copy(found)
  }
  for await (const page of noticePages(db)) {
    const ofCollections = Map.groupBy(page, ({ collection }: DocumentKey) => collection)
    for (const [name, notices] of ofCollections) {
      const ids = notices.map(({ document }) => document)
      const waiting = { _id: { $in: ids }, 'outbox.workspace': workspace }
      for await (const found of documents(name).find(waiting, onlyOutbox)) await copy(found)
    }
  }
}
