import { matchesAddress, matchesUser, matchesWorkspace } from '@postrider/domain/accounts/operatorSearch.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { disabledChange, hasTotp } from '@postrider/domain/accounts/users.ts'
import { afterAllIds } from '@postrider/domain/ids.ts'
import {
  allowanceAt,
  newAllowance,
  readAllowance,
  type StoredAllowance,
  storedPlanOf,
} from '@postrider/domain/quota/plans.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'
import type { OperatorAccounts, OperatorUser, WorkspaceQuery } from '@postrider/ports/accountsOperator.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { workspaceTable } from './rows.ts'

/** Rows that one slice reads, so that a search through all of them delays no other work. */
const chunk = 200

type Page<Item> = { before: string | null; limit: number; read(before: string): { id: string; item: Item | null }[] }

/** Reads chunks until the page is full. `read` returns null for an item that does not fit. */
const readPage = async <Item>(slices: Slices, { before, limit, read }: Page<Item>): Promise<Item[]> => {
  const found: Item[] = []
  let after = before ?? afterAllIds
  for (;;) {
    const rows = read(after)
    found.push(...rows.flatMap(({ item }) => (item === null ? [] : [item])))
    const last = rows.at(-1)
    if (found.length >= limit || last === undefined || rows.length < chunk) return found.slice(0, limit)
    after = last.id
    await nextSlice(slices)
  }
}

/** Whether the plan in effect is the requested one. @param doc the stored allowance; null: there is none */
const hasPlan = (plan: WorkspaceQuery['plan'], doc: unknown): boolean => {
  if (plan === null) return true
  const allowance = typeof doc === 'string' ? readAllowance(JSON.parse(doc) as StoredAllowance) : newAllowance
  return allowanceAt(allowance, plan.at).plan === plan.name
}

type Search = Pick<OperatorAccounts, 'findWorkspaces' | 'workspacesToDelete'>

/**
 * Returns a function that finds the workspaces of the users whose addresses have a text; null: those are more than
 * `max`.
 */
const homesByAddress = (db: SqliteDatabase, slices: Slices) => {
  const select = db.prepare(`SELECT id, email FROM users WHERE id < ? ORDER BY id DESC LIMIT ${chunk}`)
  const workspacesOf = db.prepare('SELECT workspace FROM memberships WHERE user = ?')
  return async (text: string, max: number): Promise<Set<unknown> | null> => {
    const homes = new Set<unknown>()
    let users = 0
    for (let after = afterAllIds; ; ) {
      const rows = db.read(() => select.all(after))
      for (const { id } of rows.filter(({ email }) => matchesAddress(text, String(email)))) {
        users += 1
        for (const { workspace } of db.read(() => workspacesOf.all(id ?? ''))) homes.add(workspace)
      }
      if (users > max) return null
      if (rows.length < chunk) return homes
      after = String(rows.at(-1)?.['id'])
      await nextSlice(slices)
    }
  }
}

const workspaces = (db: SqliteDatabase, slices: Slices): Search => {
  // A plan with a stored form is found by its index; others, and all workspaces, by their own table.
  const selectFrom = (tables: string, id: string) =>
    db.prepare(`SELECT w.*, a.doc AS allowance FROM ${tables} WHERE w.id < :before ORDER BY ${id} DESC LIMIT ${chunk}`)
  const select = selectFrom('workspaces w LEFT JOIN allowances a ON a.workspace = w.id', 'w.id')
  const selectByPlan = selectFrom(
    `(SELECT workspace, doc FROM allowances WHERE json_extract(doc, '$.plan') = :stored AND workspace < :before) a
    CROSS JOIN workspaces w ON w.id = a.workspace`,
    'a.workspace',
  )
  const due = db.prepare('SELECT id FROM workspaces WHERE deletes_at <= ? ORDER BY deletes_at LIMIT ?')
  const homesOf = homesByAddress(db, slices)
  return {
    findWorkspaces: async (query) => {
      const { before, limit, text, maxUsers, plan } = query
      const homes = text === null ? new Set() : await homesOf(text, maxUsers)
      if (homes === null) return 'too_many_users'
      const stored = plan && storedPlanOf(plan.name)
      const rows = (after: string): Row[] =>
        (stored === null ? select.all({ before: after }) : selectByPlan.all({ before: after, stored })) as Row[]
      const item = (row: Row, workspace: StoredWorkspace): StoredWorkspace | null =>
        hasPlan(plan, row['allowance']) && matchesWorkspace(query, workspace, homes.has(workspace.id))
          ? workspace
          : null
      const read = (after: string) =>
        db
          .read(() => rows(after))
          .map((row) => ({ row, workspace: workspaceTable.read(row) }))
          .map(({ row, workspace }) => ({ id: workspace.id, item: item(row, workspace) }))
      return readPage(slices, { before, limit, read })
    },
    workspacesToDelete: async (now, limit) => db.read(() => due.all(now, limit)).map(({ id }) => String(id)),
  }
}

const searchedOf = (row: Row) => ({
  id: String(row['id']),
  email: String(row['email']),
  isDisabled: row['disabled_at'] !== null,
  isOperator: row['operator_since'] !== null,
})

const users = (db: SqliteDatabase, slices: Slices): Omit<OperatorAccounts, keyof Search> => {
  const addEntries = auditEntries(db)
  const selectFrom = (condition: string) =>
    db.prepare(`SELECT * FROM users WHERE ${condition} AND id < ? ORDER BY id DESC LIMIT ${chunk}`)
  const select = selectFrom('TRUE')
  // Its condition is that of the index of operators.
  const selectOperators = selectFrom('operator_since IS NOT NULL')
  const byId = db.prepare('SELECT * FROM users WHERE id = ?')
  const workspacesOf = db.prepare(`
    SELECT w.id, w.name, m.role FROM memberships m JOIN workspaces w ON w.id = m.workspace
    WHERE m.user = ? ORDER BY m.created_at, w.id`)
  const disable = db.prepare(
    'UPDATE users SET disabled_at = :at, disabled_reason = :reason, sessions_since = :since WHERE id = :id',
  )
  const sessionsSince = db.prepare('SELECT sessions_since FROM users WHERE id = ?')
  const mark = db.prepare('UPDATE users SET operator_since = :since WHERE id = :id')
  const endSessions = db.prepare('DELETE FROM sessions WHERE user = ?')
  const touch = db.prepare(
    'UPDATE users SET last_seen_at = :seenAt WHERE id = :id AND ifnull(last_seen_at, 0) < :seenAt',
  )
  const userOf = (row: Row): OperatorUser => ({
    id: String(row['id']),
    email: String(row['email']),
    createdAt: Number(row['created_at']),
    lastSeenAt: row['last_seen_at'] as number | null,
    disabled:
      row['disabled_at'] === null ? null : { at: Number(row['disabled_at']), reason: String(row['disabled_reason']) },
    operatorSince: row['operator_since'] as number | null,
    hasTotp: row['totp'] !== null && hasTotp({ totp: JSON.parse(String(row['totp'])) }),
    workspaces: workspacesOf.all(String(row['id'])).map(({ id, name, role }) => ({
      id: String(id),
      name: String(name),
      role: role as Role,
    })),
  })
  const find = (id: string): OperatorUser | null => {
    const row = byId.get(id) as Row | undefined
    return row === undefined ? null : userOf(row)
  }
  return {
    findUsers: async (query) => {
      const { before, limit, operator } = query
      const statement = operator === true ? selectOperators : select
      const read = (after: string) =>
        db
          .read(() => statement.all(after) as Row[])
          .map((row) => ({ id: String(row['id']), item: matchesUser(query, searchedOf(row)) ? row : null }))
      const found = await readPage(slices, { before, limit, read })
      return db.read(() => found.map(userOf))
    },
    findUser: async (id) => db.read(() => find(id)),
    setUserDisabled: async (id, disabled, entryOf) =>
      db.write(() => {
        const found = find(id)
        const entry = found && entryOf(found, { ...found, disabled })
        if (!entry) return found
        addEntries(entry)
        const user = { sessionsSince: Number(sessionsSince.get(id)?.['sessions_since']) }
        const { sessionsSince: since } = disabledChange(user, disabled, entry.at)
        disable.run({ id, at: disabled?.at ?? null, reason: disabled?.reason ?? '', since })
        if (disabled) endSessions.run(id)
        return find(id)
      }),
    setOperator: async (id, since, entryOf) =>
      db.write(() => {
        const found = find(id)
        const entry = found && entryOf(found, { ...found, operatorSince: since })
        if (!entry) return found
        addEntries(entry)
        mark.run({ id, since })
        return find(id)
      }),
    touchUser: async (id, seenAt) => {
      db.writeOne(() => touch.run({ id, seenAt }))
    },
  }
}

/** Opens the reads and changes of the operator. @param slices runs the searches */
export const accountsOperator = (db: SqliteDatabase, slices: Slices = makeSlices()): OperatorAccounts => ({
  ...workspaces(db, slices),
  ...users(db, slices),
})
