import type { CapturedMail, MailboxStore } from '@postrider/ports/mailbox.ts'
import type { Db } from 'mongodb'
import type { Indexes } from '../client/connect.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'

type MailDoc = Omit<CapturedMail, 'attemptId'> & { _id: string }

/** Index for lists of a workspace; lists of all workspaces use `_id`. */
export const mailboxIndexes: Indexes = { captured_mail: [{ key: { workspace: 1, _id: -1 } }] }

const mailOf = ({ _id, ...rest }: MailDoc): CapturedMail => ({ attemptId: _id, ...rest })

/** Creates the mailbox store on MongoDB. Attempt ids begin with their time, so sorting by id sorts by time. */
export const mongoMailbox = (db: Db): MailboxStore => {
  const mails = db.collection<MailDoc>('captured_mail')
  const store: MailboxStore = {
    put: async ({ attemptId, ...rest }) => {
      await ignoreDuplicateKey(() => mails.insertOne({ _id: attemptId, ...rest }))
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
    remove: async (attemptIds) => {
      if (attemptIds.length > 0) await mails.deleteMany({ _id: { $in: [...attemptIds] } })
    },
  }
  return withMappedErrors(store)
}
