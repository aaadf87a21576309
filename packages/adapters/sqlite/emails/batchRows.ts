import {
  acceptedBatchStates,
  type BatchChange,
  type BatchState,
  openBatchStates,
  revokedBatch,
  shownBatchState,
  statesSweptBy,
} from '@postrider/domain/email/batch.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import type { BatchHead, BatchItem, BatchItemKey, StoredBatch } from '@postrider/ports/emailBatches.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { firstItems, firstRows } from '../client/recordScheduler.ts'
import type { PartsRow } from './contentParts.ts'

/** An email that is not in the queue, with the row of its content. */
export type Staged = PartsRow & { number: number; email: Email; content: Content }

type StoredResults = Pick<StoredBatch, 'id' | 'results'>

/**
 * States that are stored under other names: of an accepted batch all emails were due, before they were moved in several
 * steps.
 */
const storedStates: Partial<Record<BatchState, string>> = { accepted: 'completing', done: 'accepted' }
const states = new Map(Object.entries(storedStates).map(([state, stored]) => [stored, state as BatchState]))
const storedState = (state: BatchState): string => storedStates[state] ?? state
/** Returns states as a list in SQL. */
const listOf = (states: readonly BatchState[]): string => states.map((state) => `'${storedState(state)}'`).join(', ')
const stateOf = ({ state }: Row): BatchState => states.get(String(state)) ?? (state as BatchState)

/** Maximum number of emails of a batch that are moved or removed in one event loop iteration. */
const emailsOfSlice = 20

/** Statements on batches and their staged emails. Those that write are called inside of a write. */
export const batchRows = (db: SqliteDatabase) => {
  const select = db.prepare('SELECT * FROM batches WHERE id = ?')
  const upsert = db.prepare(`
    INSERT INTO batches (id, workspace, at, state, due_at, items, results) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET state = excluded.state, due_at = excluded.due_at, items = excluded.items, results = excluded.results`)
  const insertEmail = db.prepare(
    'INSERT INTO batch_emails (batch, number, doc, content, parts, layout) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const emails = db.prepare(`SELECT * FROM batch_emails WHERE batch = ? ORDER BY number LIMIT ${emailsOfSlice}`)
  const emailParts = db.prepare(`
    SELECT number, parts, octet_length(doc) AS bytes FROM batch_emails WHERE batch = ?
    ORDER BY number LIMIT ${emailsOfSlice}`)
  const emailDoc = db.prepare(`
    SELECT doc FROM emails WHERE id = ?1 AND workspace <> '' UNION ALL
    SELECT doc FROM batch_emails WHERE batch = ?2 AND number = ?3`)
  const anyEmail = db.prepare('SELECT 1 FROM batch_emails WHERE batch = ? LIMIT 1')
  const deleteEmail = db.prepare('DELETE FROM batch_emails WHERE batch = ? AND number = ?')
  const selectDue = db.prepare('SELECT id, workspace, state FROM batches WHERE due_at <= ? ORDER BY due_at LIMIT ?')
  const selectState = db.prepare('SELECT state, workspace FROM batches WHERE id = ?')
  const change = db.prepare('UPDATE batches SET state = ?, due_at = ? WHERE id = ?')
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
    /** Returns the emails that one event loop iteration moves. */
    firstEmails: (batch: string): Staged[] => firstRows(emails.iterate(batch) as Iterable<Row>).map(stagedOf),
    /** Returns the parts of the emails that one event loop iteration removes. */
    firstParts: (batch: string): Pick<Staged, 'number' | 'parts'>[] =>
      firstItems(emailParts.all(batch), ({ bytes }) => Number(bytes)).map(({ number, parts }) => ({
        number: Number(number),
        parts: Number(parts),
      })),
    /** Returns an email as JSON, in the queue or not; null: there is none. */
    emailDoc: (batch: string, { id, number }: BatchItemKey): string | null => {
      const row = emailDoc.get(id, batch, number)
      return row ? String(row['doc']) : null
    },
    hasEmails: (batch: string): boolean => anyEmail.get(batch) !== undefined,
    removeEmail: (batch: string, number: number): void => void deleteEmail.run(batch, number),
    ...acceptedRows(db),
    ...endedRows(db),
    due: (now: number, limit: number) =>
      selectDue
        .all(now, limit)
        .map((row) => ({ id: String(row['id']), workspace: String(row['workspace']), state: stateOf(row) })),
    stateOf: (id: string): BatchState | null => {
      const row = selectState.get(id)
      return row ? stateOf(row) : null
    },
    /** Returns the workspace of a batch; null: it is not known. */
    workspaceOf: (id: string): string | null => {
      const row = selectState.get(id)
      return row ? String(row['workspace']) : null
    },
    change: (id: string, { state, dueAt }: BatchChange): void => void change.run(storedState(state), dueAt, id),
    forget: (id: string, now: number): void => void forget.run(id, now),
  }
}

/** Accepted batches of a workspace. */
const acceptedRows = (db: SqliteDatabase) => {
  const selectIncomplete = db.prepare(`
    SELECT id FROM batches WHERE workspace = ? AND state IN (${listOf(statesSweptBy('complete'))})`)
  const selectResults = db.prepare(`
    SELECT id, results FROM batches WHERE workspace = ? AND id > ? AND state IN (${listOf(acceptedBatchStates)})
    ORDER BY id LIMIT 1`)
  const setResults = db.prepare('UPDATE batches SET results = ? WHERE id = ? AND results = ?')
  return {
    /** Returns the ids of those with emails that are not in the queue. */
    incompleteOf: (workspace: string): string[] => selectIncomplete.all(workspace).map(({ id }) => String(id)),
    /** Returns the results of the next accepted batch by id; null: there is none. */
    resultsAfter: (workspace: string, after: string): StoredResults | null => {
      const row = selectResults.get(workspace, after)
      return row ? { id: String(row['id']), results: String(row['results']) } : null
    },
    /** @returns false: the results are not `stored` */
    setResults: ({ id, results: stored }: StoredResults, results: string): boolean =>
      setResults.run(results, id, stored).changes === 1,
  }
}

/** Batches that are not accepted any more. */
const endedRows = (db: SqliteDatabase) => {
  const startClearing = db.prepare(`
    UPDATE batches SET state = ? WHERE id = ? AND state IN (${listOf(statesSweptBy('clear'))}) AND due_at <= ?`)
  const changeOpen = db.prepare(`UPDATE batches SET state = ?, due_at = ? WHERE state IN (${listOf(openBatchStates)})`)
  return {
    /**
     * Gives a batch whose emails the sweep is to remove another state.
     * @returns false: it is not such a batch, or not due
     */
    startClearing: (id: string, { state }: BatchChange, now: number): boolean =>
      startClearing.run(storedState(state), id, now).changes === 1,
    /** Changes all open batches. @returns how many */
    changeOpen: ({ state, dueAt }: BatchChange): number => Number(changeOpen.run(storedState(state), dueAt).changes),
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

/** Statements on the batches of a removed workspace, which are called inside of a write. */
export const removedBatchRows = (db: SqliteDatabase) => {
  const selectOfWorkspace = db.prepare('SELECT id, at FROM batches WHERE workspace = ? LIMIT ?')
  const revoke = db.prepare('UPDATE batches SET state = ?1, results = ?2 WHERE id = ?3 AND state <> ?1')
  const endRemoved = db.prepare(`
    UPDATE batches SET workspace = '', state = ?, due_at = ?, items = '[]', results = '' WHERE id = ?`)
  return {
    ofWorkspace: (workspace: string, limit: number) =>
      selectOfWorkspace.all(workspace, limit).map(({ id, at }) => ({ id: String(id), at: Number(at) })),
    /** Makes a batch of a removed workspace void, even if it is accepted. */
    revoke: (id: string): void => void revoke.run(storedState(revokedBatch.state), revokedBatch.results, id),
    /** Ends a batch of a removed workspace that has no staged emails. */
    endRemoved: (id: string, { state, dueAt }: BatchChange): void => void endRemoved.run(storedState(state), dueAt, id),
  }
}
