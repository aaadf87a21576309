import { setImmediate as nextIteration } from 'node:timers/promises'
import {
  type BatchState,
  batchSweeps,
  clearedBatch,
  decideVoid,
  doneBatch,
  isBatchOpen,
  shownBatchState,
} from '@postrider/domain/email/batch.ts'
import { withFreshEvents } from '@postrider/domain/email/changes.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import type { BatchHead, BatchItem, EmailBatches, StoredBatch } from '@postrider/ports/emailBatches.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { type ContentParts, isInParts, type PartsRow } from './contentParts.ts'

type Insert = (email: Email, content: Content, stored: PartsRow | null) => 'inserted' | 'exists' | 'void'

/** `insertRow` inserts an email with its content; it is called inside of a write. */
export type BatchParts = { parts: ContentParts; insertRow: Insert }

/** An email that is not accepted, with the row of its content. */
type Staged = PartsRow & { number: number; email: Email; content: Content }

/**
 * Batches in SQLite. Staged emails are not in the queue: their content is stored in parts, and the transaction that accepts
 * the batch inserts all its emails. So a crash leaves no email of it, and the next start removes the parts.
 */
export const emailBatches = (db: SqliteDatabase, { parts, insertRow }: BatchParts): EmailBatches => {
  const rows = batchRows(db)

  return {
    stageBatch: (head, emails) => stage({ db, rows, parts }, head, emails),
    acceptBatch: (head, mails, ended) => accept({ db, rows, parts, insertRow }, head, mails, ended),
    batch: async (id) => db.read(() => rows.find(id)),

    voidBatch: async (id, now) =>
      db.write(() => {
        const found = rows.find(id)
        const decision = decideVoid(found?.state ?? null, now)
        if (decision.write !== null) {
          const { state, dueAt } = decision.change
          rows.put({ ...(found ?? { id, workspace: '', at: now }), until: dueAt }, state)
        }
        return decision.isVoid
      }),

    completeBatch: async (id) => {
      const found = db.read(() => rows.find(id))
      return found?.state === 'accepted' ? found : null
    },

    changeResults: async (workspace, change) => {
      for (let after: string | null = ''; after !== null; await nextIteration()) {
        const found: { id: string; results: string }[] = db.read(() => rows.resultsAfter(workspace, after))
        for (const { id, results } of found) {
          const changed = change(results)
          if (changed !== results) db.writeOne(() => rows.setResults(id, changed))
        }
        after = found.at(-1)?.id ?? null
      }
    },

    sweepBatches: async (now, limit) => {
      const due = db.read(() => rows.due(now, limit))
      for (const { id, state } of due) {
        // A batch that is cleared has no emails here: those of one transaction are removed together.
        if (batchSweeps[state] !== 'clear') db.writeOne(() => rows.forget(id, now))
        else for (const one of db.write(() => rows.clear(id, now))) await parts.remove(one)
      }
      return due.length
    },
  }
}

type Deps = BatchParts & { db: SqliteDatabase; rows: ReturnType<typeof batchRows> }
type Stage = EmailBatches['stageBatch']
type Accept = EmailBatches['acceptBatch']

/** Stores the emails in parts. Parts that the batch does not refer to in the end are removed again. */
const stage = async (
  { db, rows, parts }: Omit<Deps, 'insertRow'>,
  head: BatchHead,
  emails: Parameters<Stage>[1],
): ReturnType<Stage> => {
  const staged: Staged[] = []
  try {
    for (const { email, content, item } of emails) {
      staged.push({ number: item.number, email, content, ...(await parts.store(content)) })
    }
    const result = db.write(() => {
      const found = rows.find(head.id)
      if (!isBatchOpen(found?.state ?? null)) return 'void'
      rows.put(head, 'open', { items: [...(found?.items ?? []), ...emails.map(({ item }) => item)] })
      for (const one of staged) rows.addEmail(head.id, one)
      return 'staged'
    })
    if (result === 'staged') staged.length = 0
    return result
  } finally {
    for (const one of staged) await parts.remove(one)
  }
}

const accept = async (
  { db, rows, parts, insertRow }: Deps,
  head: BatchHead,
  mails: Parameters<Accept>[1],
  { results, now }: Parameters<Accept>[2],
): ReturnType<Accept> => {
  const contents: (PartsRow | null)[] = []
  let isAccepted = false
  try {
    for (const { content } of mails) contents.push(isInParts(content) ? await parts.store(content) : null)
    const result = db.write(() => {
      const found = rows.find(head.id)
      if (!isBatchOpen(found?.state ?? null)) return 'void'
      for (const { email, content, parts, layout } of rows.emailsOf(head.id)) {
        insertRow(withFreshEvents(email, 0, now), content, { parts, layout })
      }
      for (const [index, { email, content }] of mails.entries()) {
        insertRow(withFreshEvents(email, 0, now), content, contents[index] ?? null)
      }
      rows.removeEmails(head.id)
      const items = [...(found?.items ?? []), ...mails.map(({ item }) => item)]
      const { state, dueAt } = doneBatch(now)
      rows.put({ ...head, until: dueAt }, state, { items, results })
      return 'accepted'
    })
    isAccepted = result === 'accepted'
    return result
  } finally {
    const inParts = contents.filter((one) => one !== null)
    const remove = async () => {
      for (const one of inParts) await parts.remove(one)
    }
    if (!isAccepted) await remove()
    else if (inParts.length > 0) db.settled().catch(remove)
  }
}

/** The transaction that accepts a batch makes its emails due, so the state `done` is stored as `accepted`. */
const storedState = (state: BatchState): string => (state === 'done' ? 'accepted' : state)
const stateOf = (row: Row): BatchState => (row['state'] === 'accepted' ? 'done' : (row['state'] as BatchState))

const batchRows = (db: SqliteDatabase) => {
  const select = db.prepare('SELECT * FROM batches WHERE id = ?')
  const upsert = db.prepare(`
    INSERT INTO batches (id, workspace, at, state, due_at, items, results) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET state = excluded.state, due_at = excluded.due_at, items = excluded.items, results = excluded.results`)
  const insertEmail = db.prepare(
    'INSERT INTO batch_emails (batch, number, doc, content, parts, layout) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const emails = db.prepare('SELECT * FROM batch_emails WHERE batch = ? ORDER BY number')
  const deleteEmails = db.prepare('DELETE FROM batch_emails WHERE batch = ?')
  const selectResults = db.prepare(
    "SELECT id, results FROM batches WHERE workspace = ? AND id > ? AND state = 'accepted' ORDER BY id LIMIT 100",
  )
  const setResults = db.prepare('UPDATE batches SET results = ? WHERE id = ?')
  const selectDue = db.prepare('SELECT id, state FROM batches WHERE due_at <= ? ORDER BY due_at LIMIT ?')
  const clear = db.prepare(`
    UPDATE batches SET state = ?, due_at = ? WHERE id = ? AND state IN ('open', 'void') AND due_at <= ?`)
  const forget = db.prepare('DELETE FROM batches WHERE id = ? AND due_at <= ?')
  return {
    find: (id: string): StoredBatch | null => {
      const row = select.get(id)
      return row ? batchOf(row) : null
    },
    put: (
      { id, workspace, at, until }: BatchHead,
      state: BatchState,
      { items = [], results = '' }: { items?: readonly BatchItem[]; results?: string } = {},
    ): void => void upsert.run(id, workspace, at, storedState(state), until, JSON.stringify(items), results),
    addEmail: (batch: string, { number, email, content, parts, layout }: Staged): void => {
      const { headers, attachments } = content
      const described = attachments.map(({ content: _, ...attachment }) => attachment)
      const text = JSON.stringify({ headers, attachments: described })
      insertEmail.run(batch, number, JSON.stringify(email), text, parts, layout)
    },
    emailsOf: (batch: string): Staged[] => emails.all(batch).map(stagedOf),
    resultsAfter: (workspace: string, after: string | null) =>
      selectResults.all(workspace, after).map((row) => ({ id: String(row['id']), results: String(row['results']) })),
    setResults: (id: string, results: string): void => void setResults.run(results, id),
    removeEmails: (batch: string): void => void deleteEmails.run(batch),
    due: (now: number, limit: number) =>
      selectDue.all(now, limit).map((row) => ({ id: String(row['id']), state: stateOf(row) })),
    /** Makes it void and removes its emails. @returns what the caller removes: their parts */
    clear: (id: string, now: number): PartsRow[] => {
      const { state, dueAt } = clearedBatch(now)
      if (clear.run(state, dueAt, id, now).changes === 0) return []
      const staged = emails.all(id).map(stagedOf)
      deleteEmails.run(id)
      return staged
    },
    forget: (id: string, now: number): void => void forget.run(id, now),
  }
}

const batchOf = (row: Row): StoredBatch => ({
  id: String(row['id']),
  workspace: String(row['workspace']),
  at: Number(row['at']),
  state: shownBatchState(stateOf(row)),
  items: JSON.parse(String(row['items'])) as BatchItem[],
  results: String(row['results']),
})

const empty = new Uint8Array()

const stagedOf = (row: Row): Staged => {
  const described = JSON.parse(String(row['content'])) as Pick<Content, 'headers' | 'attachments'>
  const attachments = described.attachments.map((attachment) => ({ ...attachment, content: empty }))
  return {
    number: Number(row['number']),
    email: JSON.parse(String(row['doc'])) as Email,
    content: { html: null, text: null, headers: described.headers, attachments },
    parts: Number(row['parts']),
    layout: String(row['layout']),
  }
}
