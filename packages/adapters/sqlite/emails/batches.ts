import { batchSweeps, decideAccept, decideStage, decideVoid, orphanedBatch } from '@postrider/domain/email/batch.ts'
import { withFreshEvents } from '@postrider/domain/email/changes.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { charactersOfStep, type Steps } from '@postrider/mail/steps.ts'
import type { BatchHead, BatchItemKey, EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { type BatchParts, clear, complete, type Deps, stagedRemoval } from './batchCompletion.ts'
import { batchRows, type Staged } from './batchRows.ts'
import { isInParts, type PartsRow } from './contentParts.ts'

/**
 * Batches in SQLite. Staged emails are not in the queue, and their content is stored in parts. One transaction accepts
 * the batch and inserts the emails that are not staged. Then the staged ones, which may be 10 MB, are moved to the
 * queue, some in each event loop iteration. After a crash before the acceptance none is in the queue, and the sweep
 * removes what is staged. After a later crash the sweep moves the others.
 */
export const emailBatches = (db: SqliteDatabase, given: BatchParts): EmailBatches => {
  const rows = batchRows(db)
  const deps = { ...given, db, rows, removeStaged: stagedRemoval(db, rows) }

  return {
    stageBatch: (head, emails) => stage(deps, head, emails),
    acceptBatch: (head, mails, ended) => accept(deps, head, mails, ended),
    batch: async (id) => db.read(() => rows.find(id)),
    batchEmails: ({ id, workspace }, items) => given.slices.of(workspace).begin(emailsIn(deps, id, items)),

    voidBatch: async (id, now) => makeVoid(deps, id, now),

    discardBatch: async (id, now) => {
      const workspace = db.read(() => rows.workspaceOf(id))
      if (workspace === null) return true
      if (!makeVoid(deps, id, now)) return false
      await clear(deps, { id, workspace }, now)
      return true
    },

    voidOpenBatches: async () => db.writeOne(() => rows.changeOpen(orphanedBatch)),

    completeBatch: async (id, now) => {
      const found = db.read(() => rows.find(id))
      if (found?.state !== 'accepted') return null
      await complete(deps, found, now)
      return found
    },

    completeBatches: async (workspace, now) => {
      const since = performance.now()
      for (const id of db.read(() => rows.incompleteOf(workspace)))
        await complete(deps, { id, workspace }, now + Math.floor(performance.now() - since))
    },

    changeResults: (...given) => deps.slices.of(given[0]).run(changeResults(deps, ...given)),

    sweepBatches: async (now, limit) => {
      const due = db.read(() => rows.due(now, limit))
      for (const one of due) {
        const step = batchSweeps[one.state]
        if (step === 'complete') await complete(deps, one, now)
        else if (step === 'clear') await clear(deps, one, now)
        // A batch that is cleared has no emails: none is staged after that.
        else db.writeOne(() => rows.forget(one.id, now))
      }
      return due.length
    },
  }
}

type Stage = EmailBatches['stageBatch']
type Accept = EmailBatches['acceptBatch']
type ChangeResults = EmailBatches['changeResults']

/** Stores the emails in parts. Parts that the accepted batch does not refer to are removed. */
const stage = async ({ db, rows, parts }: Deps, head: BatchHead, emails: Parameters<Stage>[1]): ReturnType<Stage> => {
  const staged: Staged[] = []
  try {
    for (const { email, content, item } of emails) {
      staged.push({ number: item.number, email, content, ...(await parts.store(head.workspace, content)) })
    }
    const result = db.write(() => {
      const found = rows.find(head.id)
      const change = decideStage(found?.state ?? null, head.until)
      if (change === null) return 'void'
      rows.put({ ...head, until: change.dueAt }, change.state, {
        items: [...(found?.items ?? []), ...emails.map(({ item }) => item)],
      })
      for (const one of staged) rows.addEmail(head.id, one)
      return 'staged'
    })
    if (result === 'staged') staged.length = 0
    return result
  } finally {
    for (const one of staged) await parts.remove(one)
  }
}

const accept = async (deps: Deps, ...given: Parameters<Accept>): ReturnType<Accept> => {
  const [head, , { now }] = given
  const result = await decide(deps, ...given)
  if (result !== 'moving') return result
  // Nothing is sent before the acceptance is durable.
  await deps.db.synced()
  await complete(deps, head, now)
  return 'accepted'
}

/** Accepts a batch by one transaction. @returns `moving`: its staged emails are to be moved */
const decide = async (
  { db, rows, parts, insertRow }: Deps,
  ...[head, mails, { results, now }]: Parameters<Accept>
): Promise<'accepted' | 'moving' | 'void'> => {
  const contents: (PartsRow | null)[] = []
  let isAccepted = false
  try {
    for (const { content } of mails)
      contents.push(isInParts(content) ? await parts.store(head.workspace, content) : null)
    const result = db.write(() => {
      const found = rows.find(head.id)
      const staged = found?.items ?? []
      const hasStaged = staged.length > 0
      const change = decideAccept(found?.state ?? null, { hasStaged, now })
      if (change === null) return 'void'
      for (const [index, { email, content }] of mails.entries()) {
        insertRow(withFreshEvents(email, 0, now), content, contents[index] ?? null)
      }
      const items = [...staged, ...mails.map(({ item }) => item)]
      rows.put({ ...head, until: change.dueAt }, change.state, { items, results })
      return hasStaged ? 'moving' : 'accepted'
    })
    isAccepted = result !== 'void'
    return result
  } finally {
    const inParts = contents.filter((one) => one !== null)
    const remove = async () => {
      for (const one of inParts) await parts.remove(one)
    }
    if (!isAccepted) await remove()
    else if (inParts.length > 0) db.synced().catch(remove)
  }
}

/** Prevents the acceptance of a batch. @returns false: it is accepted */
const makeVoid = ({ db, rows }: Deps, id: string, now: number): boolean => {
  const decided = db.read(() => decideVoid(rows.stateOf(id), now))
  if (decided.write === null) return decided.isVoid
  return db.write(() => {
    const found = rows.find(id)
    const decision = decideVoid(found?.state ?? null, now)
    if (decision.write !== null) {
      const { state, dueAt } = decision.change
      rows.put({ ...(found ?? { id, workspace: '', at: now }), until: dueAt }, state)
    }
    return decision.isVoid
  })
}

/** Reads emails of a batch, in the queue or not. */
function* emailsIn({ db, rows }: Deps, batch: string, items: readonly BatchItemKey[]): Steps<Email[]> {
  const found: Email[] = []
  let characters = 0
  for (const item of items) {
    const doc = db.read(() => rows.emailDoc(batch, item))
    if (doc === null) continue
    found.push(JSON.parse(doc) as Email)
    characters += doc.length
    if (characters < charactersOfStep) continue
    characters = 0
    yield
  }
  return found
}

/** Changes the results of accepted batches, one after the other: those of a batch may have 1 MB. */
function* changeResults(
  { db, rows }: Deps,
  ...[workspace, page, change]: Parameters<ChangeResults>
): Steps<string | null> {
  let { after } = page
  for (let read = 0; read < page.limit; ) {
    const row = db.read(() => rows.resultsAfter(workspace, after))
    if (row === null) return null
    yield
    const changed = yield* change(row.results)
    // Another change of the results must not be lost.
    if (changed !== row.results && !db.writeOne(() => rows.setResults(row, changed))) continue
    after = row.id
    read += 1
  }
  return after
}
