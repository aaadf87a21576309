import { type DueMail, fairChoice } from '@postrider/domain/fairness/fairClaim.ts'
import type { ClaimQuery } from '@postrider/ports/emails.ts'
import type { Collection } from 'mongodb'
import { type EmailDoc, never } from './doc.ts'

const byAge = { dueAt: 1, _id: 1 } as const
const idOnly = { projection: { _id: 1 } } as const

/** Which emails a claim may take, by their ids; whoever takes them asks again. */
export const emailDue = (emails: Collection<EmailDoc>): ((query: ClaimQuery) => Promise<readonly string[]>) => {
  const oldest = async (filter: object, limit: number): Promise<string[]> =>
    (await emails.find(filter, idOnly).sort(byAge).limit(limit).toArray()).map(({ _id }) => _id)

  const mail = ({ lane, now }: ClaimQuery): DueMail<string> => {
    const due = { lane, dueAt: { $lte: now } }
    return {
      oldest: (limit) => oldest(due, limit),
      oldestOf: (workspace, limit) => oldest({ ...due, workspace }, limit),
      workspaceAfter: async (after) => {
        const waiting = { lane, workspace: { $gt: after }, dueAt: { $lt: never } }
        const projection = { _id: 0, workspace: 1, dueAt: 1 } as const
        return emails.findOne(waiting, { projection, sort: { workspace: 1, dueAt: 1 } })
      },
    }
  }
  const choose = fairChoice()

  return async (query) => {
    const { ids, lane, now, limit } = query
    if (ids === undefined) return choose(mail(query), query)
    const asked = [...new Set(ids)]
    return asked.length <= limit ? asked : oldest({ _id: { $in: asked }, lane, dueAt: { $lte: now } }, limit)
  }
}
