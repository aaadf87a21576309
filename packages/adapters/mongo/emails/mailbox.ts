import type { CapturedMail, MailboxStore } from '@postrider/ports/mailbox.ts'
import type { Db } from 'mongodb'
import { type Indexes, reaching } from '../client/connect.ts'
import { isTaken } from '../client/mongoError.ts'
import { scalar } from '../client/scalar.ts'

type MailDoc = Omit<CapturedMail, 'attemptId'> & { _id: string }

/** Lists of a workspace; those of all go by `_id`. */
export const mailboxIndexes: Indexes = { captured_mail: [{ key: { workspace: 1, _id: -1 } }] }

const mailOf = ({ _id, ...rest }: MailDoc): CapturedMail => ({ attemptId: _id, ...rest })

/** Captured mail in MongoDB. Ids of attempts begin with their time, so their order is that of the list. */
export const mongoMailbox = (db: Db): MailboxStore => {
  const mails = db.collection<MailDoc>('captured_mail')
  const store: MailboxStore = {
    put: async ({ attemptId, ...rest }) => {
      try {
        await mails.insertOne({ _id: attemptId, ...rest })
      } catch (thrown) {
        if (!isTaken(thrown)) throw thrown
      }
    },
    list: async ({ workspace, before, limit }) => {
      const own = workspace === null ? {} : { workspace: scalar(workspace) }
      const filter = before === null ? own : { ...own, _id: { $lt: scalar(before) } }
      const found = await mails.find(filter).sort({ _id: -1 }).limit(limit).toArray()
      return found.map(mailOf)
    },
    get: async (attemptId) => {
      const found = await mails.findOne({ _id: scalar(attemptId) })
      return found && mailOf(found)
    },
  }
  return reaching(store)
}
