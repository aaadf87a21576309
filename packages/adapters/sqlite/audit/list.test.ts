import assert from 'node:assert/strict'
import { type AuditEntry, type AuditQuery, noAuditFilter, type TextMatch } from '@postrider/domain/audit/entry.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { iterationsOf, settlesImmediately } from '../../../../test/support/cost.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { auditEntries } from './audit.ts'
import { listAuditEntries } from './list.ts'

/** Enough for several event loop iterations. */
const count = 9_000

const actorAt = (number: number): string => {
  if (number % 4_000 === 1) return 'operator'
  return number % 2 === 0 ? 'usr_1' : `key_${number % 3}`
}

const entries: readonly AuditEntry[] = Array.from({ length: count }, (_, number) =>
  anEntry({
    id: `aud_${String(count - number).padStart(6, '0')}`,
    // Several entries have the same time.
    at: 1_000 + Math.floor(number / 3),
    actor: actorAt(number),
    action: number % 5_000 === 7 ? 'webhook.test' : 'template.update',
    ...(number === 4_500 && { operator: 'usr_9' }),
  }),
)

const is = (text: string): TextMatch => ({ is: text })
const startsWith = (text: string): TextMatch => ({ startsWith: text })
const everything: AuditQuery = { ...noAuditFilter, workspace: 'ws_1', limit: 5 }

const filters: readonly Partial<AuditQuery>[] = [
  {},
  { actor: is('usr_1') },
  { actor: is('usr_9') },
  { actor: is('usr_9'), orOperator: 'usr_9' },
  { actor: is('operator') },
  { actor: startsWith('usr_') },
  { actor: startsWith('key_') },
  { actor: startsWith('none') },
  { action: is('webhook.test') },
  { action: startsWith('webhook.') },
  { action: startsWith('template.') },
  { action: startsWith('none.') },
  { actor: is('usr_1'), action: is('webhook.test') },
  { actor: is('key_1'), action: is('webhook.test') },
  { actor: startsWith('usr_'), action: is('webhook.test') },
  { actor: startsWith('key_'), action: startsWith('webhook.') },
  { actor: startsWith('key_'), createdBefore: 1_300 },
  { actor: is('usr_1'), createdAfter: 1_300, createdBefore: 1_302 },
  { createdAfter: 9_000 },
]

const accepts = (match: TextMatch | null, text: string): boolean =>
  match === null || ('is' in match ? match.is === text : text.startsWith(match.startsWith))

const matches = ({ actor, orOperator, action, createdAfter, createdBefore }: AuditQuery, entry: AuditEntry): boolean =>
  (accepts(actor, entry.actor) || (orOperator !== undefined && entry.operator === orOperator)) &&
  accepts(action, entry.action) &&
  entry.at > (createdAfter ?? 0) &&
  entry.at < (createdBefore ?? Number.POSITIVE_INFINITY)

const newestFirst = (one: AuditEntry, other: AuditEntry): number => other.at - one.at || (one.id < other.id ? 1 : -1)

describe('lists of the audit log in SQLite', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
    db.write(() => auditEntries(db)(...entries))
  })

  /** Returns all pages of a list. */
  const pages = async (query: AuditQuery): Promise<AuditEntry[]> => {
    const found = await listAuditEntries(db, query, makeSlices())
    const last = found.at(-1)
    if (found.length < query.limit || last === undefined) return found
    return [...found, ...(await pages({ ...query, before: { at: last.at, id: last.id } }))]
  }

  for (const workspace of ['ws_1', null])
    it(`has the entries that match, ${workspace === null ? 'of all workspaces' : 'of a workspace'}`, async () => {
      for (const filter of filters) {
        const query = { ...everything, ...filter, workspace, limit: 700 }
        const expected = entries.filter((entry) => matches(query, entry)).sort(newestFirst)
        assert.deepEqual(
          (await pages(query)).map(({ id }) => id),
          expected.map(({ id }) => id),
          JSON.stringify(filter),
        )
      }
    })

  // A filter that few entries match was one statement over the whole log: 50 ms for 200,000 entries.
  it('is read in several event loop iterations, and no further after the client has gone', async () => {
    for (const filter of filters.filter((one) => !entries.some((entry) => matches({ ...everything, ...one }, entry)))) {
      const query = { ...everything, ...filter, workspace: null }
      const iterations = await iterationsOf(() => listAuditEntries(db, query, makeSlices()))
      assert.ok(
        iterations >= (filter.createdAfter === undefined ? 4 : 0),
        `${iterations} iterations: ${JSON.stringify(filter)}`,
      )
      assert.ok(await settlesImmediately(() => listAuditEntries(db, query, makeSlices(), AbortSignal.abort())))
    }
  })
})
