import { type DueMail, fairChoice } from '@postrider/domain/fairness/fairClaim.ts'
import type { ClaimQuery } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from './database.ts'

/** Which emails a claim takes, by their `seq`. */
export const emailDue = (db: SqliteDatabase): ((query: ClaimQuery) => Promise<number[]>) => {
  const due = 'lane = :lane AND due_at <= :now ORDER BY due_at LIMIT :limit'
  const oldest = db.prepare(`SELECT seq FROM emails WHERE ${due}`)
  const oldestOf = db.prepare(`SELECT seq FROM emails WHERE workspace = :workspace AND ${due}`)
  // The ids are few, and what is due may be much: the pluses keep its index out of this.
  const among = db.prepare(`
    SELECT seq FROM emails WHERE id IN (SELECT value FROM json_each(:ids)) AND +lane = :lane AND +due_at <= :now
    ORDER BY due_at LIMIT :limit`)
  const next = db.prepare(`
    SELECT workspace, due_at FROM emails WHERE lane = ? AND workspace > ? AND due_at IS NOT NULL
    ORDER BY workspace, due_at LIMIT 1`)
  const choose = fairChoice()

  const mail = ({ lane, now }: ClaimQuery): DueMail<number> => ({
    oldest: (limit) => db.read(() => oldest.all({ lane, now, limit })).map(seqOf),
    oldestOf: (workspace, limit) => db.read(() => oldestOf.all({ lane, now, limit, workspace })).map(seqOf),
    workspaceAfter: (workspace) => {
      const row = db.read(() => next.get(lane, workspace))
      return row ? { workspace: String(row['workspace']), dueAt: Number(row['due_at']) } : null
    },
  })

  return async (query) => {
    const { ids, lane, now, limit } = query
    if (ids === undefined) return choose(mail(query), query)
    return db.read(() => among.all({ lane, now, limit, ids: JSON.stringify(ids) })).map(seqOf)
  }
}

const seqOf = (row: Record<string, unknown>): number => Number(row['seq'])
