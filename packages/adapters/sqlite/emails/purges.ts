import type { Content, Email } from '@postrider/domain/email/email.ts'
import { adoptedPurge, finalPurgeFrom, urgentFirst } from '@postrider/domain/retention/purge.ts'
import type { DuePurge, EmailPurges, PurgeChange } from '@postrider/ports/emailPurges.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { inSlices, type RecordScheduler } from '../client/recordScheduler.ts'
import type { EventIndex } from '../events/eventIndex.ts'
import { type ContentParts, contentColumns, isInParts, type PartsRow, partsOf } from './contentParts.ts'
import { aboutBytes, emailOf, numberOrNull } from './rows.ts'
import type { EmailTerms } from './terms.ts'

type PurgeParts = {
  parts: ContentParts
  content: (id: string) => Promise<Content | null>
  events: Pick<EventIndex, 'removeEvents'>
  terms: Pick<EmailTerms, 'replaceTerms'>
  schedule: RecordScheduler
}

export const emailPurges = (db: SqliteDatabase, purgeParts: PurgeParts): EmailPurges => {
  const steps = stepsOf(db)
  const due = db.prepare(`
    SELECT seq FROM emails INDEXED BY emails_purge WHERE purge_step = ? AND purge_from <= ? ORDER BY purge_from LIMIT ?`)
  const bySeq = db.prepare(
    'SELECT id, workspace, doc, fence, lease_until, purge_step, purge_from FROM emails WHERE seq = ?',
  )
  const readDue = async (seq: unknown): Promise<DuePurge[]> => {
    const row = db.read(() => bySeq.get(Number(seq)))
    if (!row) return []
    const turn = purgeParts.schedule(String(row['workspace']), String(row['doc']).length)
    if (turn) await turn
    return [duePurgeOf(row)]
  }
  const backlog = db.prepare(`
    SELECT count(*) AS due, min(purge_from) AS oldest FROM (
      SELECT purge_from FROM emails INDEXED BY emails_purge
      WHERE purge_step = ? AND purge_from <= ? ORDER BY purge_from LIMIT ?)`)
  const setPurge = db.prepare(
    'UPDATE emails SET purge_step = ?, purge_from = ? WHERE id = ? AND purge_step = ? AND purge_from = ?',
  )
  const adopt = db.prepare('UPDATE emails SET purge_step = ?, purge_from = ? WHERE id = ? AND purge_step IS NULL')
  const without = db.prepare(`
    SELECT id, workspace, doc FROM emails INDEXED BY emails_purge WHERE purge_step IS NULL LIMIT ?`)
  return {
    duePurges: async (dueFrom, limit) => {
      const found: Row[] = []
      for (const step of steps()) {
        if (found.length >= limit) break
        found.push(...db.read(() => due.all(step, dueFrom(step), limit - found.length)))
      }
      const purges: DuePurge[] = []
      for (const { seq } of found) purges.push(...(await readDue(seq)))
      return purges
    },
    purgeBacklog: async (dueFrom, max) =>
      steps().map((step) => {
        const row = db.read(() => backlog.get(step, dueFrom(step), max))
        return { step, due: Number(row?.['due']), oldest: numberOrNull(row?.['oldest'] ?? null) }
      }),
    ...removals(db, purgeParts),
    setPurges: async (purges) => {
      await inSlices(purges, (batch) =>
        db.write(() => {
          for (const { id, was, purge } of batch) setPurge.run(purge.step, purge.from, id, was.step, was.from)
          return batch.length
        }),
      )
    },
    adoptPurges: async (now, limit) => {
      const found = db.read(() => without.all(limit))
      return inSlices(found, (batch) =>
        db.write(() => {
          for (const row of batch) {
            const { step, from } = adoptedPurge(emailOrVoid(row), now)
            adopt.run(step, from, String(row['id']))
          }
          return batch.length
        }),
      )
    },
    scrub: async (isWanted) => {
      await db.synced()
      db.emptyLog(isWanted)
    },
  }
}

/** Returns the email of a row; null: the id is void and has no document. */
const emailOrVoid = (row: Row): Email | null => (row['workspace'] === '' ? null : emailOf(row))

const duePurgeOf = (row: Row): DuePurge => ({
  id: String(row['id']),
  email: emailOrVoid(row),
  fence: Number(row['fence']),
  leaseUntil: numberOrNull(row['lease_until']),
  purge: { step: String(row['purge_step']), from: Number(row['purge_from']) },
})

/** Returns a function that reads the steps that emails have, by one lookup in the index for each. */
const stepsOf = (db: SqliteDatabase): (() => string[]) => {
  const next = db.prepare('SELECT purge_step AS step FROM emails WHERE purge_step > ? ORDER BY purge_step LIMIT 1')
  return () => {
    const found: string[] = []
    for (let last = ''; ; ) {
      const row = db.read(() => next.get(last))
      if (!row) return urgentFirst(found)
      last = String(row['step'])
      found.push(last)
    }
  }
}

/** An email that is not claimed and did not change since it was read. */
const unchanged = 'WHERE id = ? AND fence = ? AND lease_until IS NULL'
const findSql = `SELECT seq FROM emails ${unchanged}`
const partsSql = 'SELECT parts, layout FROM contents WHERE seq = ? AND parts IS NOT NULL'

/**
 * Returns a function that removes the rows of a content, and returns its parts, which the caller removes one by one.
 */
const contentRemoval = (db: SqliteDatabase): ((seq: number) => PartsRow[]) => {
  const selectParts = db.prepare(partsSql)
  const forgetParts = db.prepare('UPDATE contents SET parts = NULL WHERE seq = ?')
  const deleteContent = db.prepare('DELETE FROM contents WHERE seq = ?')
  const deleteAttachments = db.prepare('DELETE FROM attachments WHERE seq = ?')
  return (seq) => {
    const row = selectParts.get(seq)
    const stored = row ? partsOf(row) : null
    // The trigger would remove all parts in this commit.
    if (stored) forgetParts.run(seq)
    deleteContent.run(seq)
    deleteAttachments.run(seq)
    return stored ? [stored] : []
  }
}

const removals = (db: SqliteDatabase, purgeParts: PurgeParts): Pick<EmailPurges, 'purge' | 'removeEmails'> => {
  const { parts, events, terms } = purgeParts
  const replace = db.prepare(`
    UPDATE emails SET doc = ?, fence = fence + 1, purge_step = ?, purge_from = ? ${unchanged} RETURNING seq`)
  const remove = db.prepare(`DELETE FROM emails ${unchanged} RETURNING workspace, doc`)
  const find = db.prepare(findSql)
  const size = db.prepare('SELECT octet_length(doc) AS bytes FROM emails WHERE id = ?')
  const dropContent = contentRemoval(db)

  const removeAll = async (all: readonly PartsRow[]): Promise<void> => {
    for (const bySeq of all) await parts.remove(bySeq)
  }
  const replaced = ({ email, fence, purge }: PurgeChange): number | null => {
    const row = replace.get(JSON.stringify(email), purge.step, purge.from, email.id, fence)
    return row ? Number(row['seq']) : null
  }
  const withoutAttachments = attachmentRemoval(db, purgeParts, replaced)
  const withoutContent = (changes: readonly PurgeChange[], dropped: PartsRow[]): Promise<number> =>
    inSlices(
      changes,
      (batch) =>
        db.write(() => {
          let count = 0
          for (const change of batch) {
            const seq = replaced(change)
            if (seq === null) continue
            terms.replaceTerms(change.email)
            dropped.push(...dropContent(seq))
            count += 1
          }
          return count
        }),
      ({ email }) => aboutBytes(email),
    )
  return {
    purge: async (changes) => {
      const dropped: PartsRow[] = []
      let count = await withoutContent(
        changes.filter((change) => change.remove === 'content'),
        dropped,
      )
      await removeAll(dropped)
      for (const change of changes) if (change.remove === 'attachments') count += await withoutAttachments(change)
      return count
    },
    removeEmails: async (emails) => {
      const dropped: PartsRow[] = []
      const removeBatch = (batch: typeof emails): number => {
        db.complete()
        return db.write(() => {
          let removed = 0
          for (const { id, fence } of batch) {
            const row = find.get(id, fence)
            if (!row) continue
            dropped.push(...dropContent(Number(row['seq'])))
            const gone = remove.get(id, fence)
            if (!gone) continue
            removed += 1
            const email = emailOrVoid(gone)
            if (email) events.removeEvents(email)
          }
          return removed
        })
      }
      const count = await inSlices(emails, removeBatch, ({ id }) => Number(db.read(() => size.get(id))?.['bytes'] ?? 0))
      await removeAll(dropped)
      return count
    },
  }
}

/**
 * Returns a function that removes attachments. Long content is written again without them, as new parts or in the row.
 */
const attachmentRemoval = (
  db: SqliteDatabase,
  { parts, content: readContent }: PurgeParts,
  replaced: (change: PurgeChange) => number | null,
): ((change: PurgeChange) => Promise<number>) => {
  const find = db.prepare(findSql)
  const selectParts = db.prepare(partsSql)
  const emptyAttachments = db.prepare("UPDATE attachments SET content = x'' WHERE seq = ?")
  const setTexts = db.prepare('UPDATE contents SET html = ?, text = ?, parts = ?, layout = ? WHERE seq = ?')
  return async (change) => {
    const { email, fence } = change
    const found = db.read(() => find.get(email.id, fence))
    const row = found && db.read(() => selectParts.get(Number(found['seq'])))
    const former = row ? partsOf(row) : null
    const content = former ? await readContent(email.id) : null
    const withoutAttachments = content && { ...content, attachments: [] }
    const isLong = withoutAttachments !== null && isInParts(withoutAttachments)
    const stored = isLong ? await parts.store(email.workspace, withoutAttachments) : null
    const isDone = db.write(() => {
      const seq = replaced(change)
      if (seq === null) return false
      emptyAttachments.run(seq)
      if (withoutAttachments) setTexts.run(...contentColumns(withoutAttachments, stored), seq)
      return true
    })
    if (isDone && former) await parts.remove(former)
    if (!isDone && stored) await parts.remove(stored)
    return Number(isDone)
  }
}

/** Returns the columns of a new email's step. */
export const purgeColumns = ({ step, from }: { step: string; from: number }) => [step, from] as const

/** Makes the step `final` due if the email is final, in the transaction of the write that makes it final. */
export const dueNow = (db: SqliteDatabase): ((email: Email) => void) => {
  const set = db.prepare("UPDATE emails SET purge_from = ? WHERE id = ? AND purge_step = 'final'")
  return (email) => {
    const from = finalPurgeFrom(email)
    if (from !== null) set.run(from, email.id)
  }
}
