import { isDeepStrictEqual } from 'node:util'
import { usesSlot } from '@postrider/domain/accounts/keyLife.ts'
import { keySettings } from '@postrider/domain/accounts/keyRules.ts'
import { firstMember } from '@postrider/domain/accounts/people.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { sessionFacts } from '@postrider/domain/accounts/users.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { AccountStore, OpenSession, StoredKey } from '@postrider/ports/accounts.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { unlessTaken } from '../client/errors.ts'
import { accountsOperator } from './operator.ts'
import { sqlitePeople } from './people.ts'
import {
  insertInto,
  keyTable,
  memberTable,
  qualified,
  sessionTable,
  type Table,
  userTable,
  workspaceTable,
} from './rows.ts'

type Users = Pick<AccountStore, 'insertOwner' | 'userByEmail' | 'memberships' | 'role'>
type Sessions = Pick<
  AccountStore,
  'insertSession' | 'session' | 'touchSession' | 'deleteSession' | 'deleteStaleSessions' | 'deleteExcessSessions'
>
type Workspaces = Pick<AccountStore, 'workspace' | 'changeWorkspace' | 'listWorkspaces'>
type Keys = Pick<AccountStore, 'insertKey' | 'keyByHash' | 'key' | 'listKeys' | 'changeKey' | 'rollKey' | 'touchKey'>

const replaceIn = (table: string, { columns }: Pick<Table<unknown>, 'columns'>): string =>
  `UPDATE ${table} SET ${columns.map((column) => `${column} = :${column}`).join(', ')} WHERE id = :id`

const users = (db: SqliteDatabase): Users => {
  const addEntries = auditEntries(db)
  const insertUser = db.prepare(insertInto('users', userTable))
  const insertWorkspace = db.prepare(insertInto('workspaces', workspaceTable))
  const insertMember = db.prepare(insertInto('memberships', memberTable, ['workspace']))
  const byEmail = db.prepare('SELECT * FROM users WHERE email = ?')
  const ofUser = db.prepare('SELECT workspace, role FROM memberships WHERE user = ? ORDER BY created_at, workspace')
  const roleOf = db.prepare('SELECT role FROM memberships WHERE user = ? AND workspace = ?')
  return {
    insertOwner: async (user, workspace, audit) =>
      unlessTaken(false, () =>
        db.write(() => {
          insertUser.run(userTable.write(user))
          insertWorkspace.run(workspaceTable.write(workspace))
          insertMember.run({ ...memberTable.write(firstMember(user.id, workspace)), workspace: workspace.id })
          addEntries(audit)
          return true
        }),
      ),
    userByEmail: async (email) => {
      const row = db.read(() => byEmail.get(email)) as Row | undefined
      return row === undefined ? null : userTable.read(row)
    },
    memberships: async (user) => {
      const rows = db.read(() => ofUser.all(user))
      return rows.map((row) => ({ workspace: String(row['workspace']), role: row['role'] as Role }))
    },
    role: async (workspace, user) => (db.read(() => roleOf.get(user, workspace))?.['role'] as Role | undefined) ?? null,
  }
}

/** Expired sessions that one login removes, which makes one. A burst of logins expires together. */
const maxStale = 100

const sessions = (db: SqliteDatabase): Sessions => {
  const addEntries = auditEntries(db)
  const insert = db.prepare(insertInto('sessions', sessionTable))
  const open = db.prepare(`
    SELECT ${qualified('s', sessionTable)}, ${qualified('w', workspaceTable)}, u.email AS u_email,
      u.email_confirmed_at AS u_confirmed_at, u.totp AS u_totp, u.sessions_since AS u_since,
      u.operator_since AS u_operator_since, u.disabled_at AS u_disabled_at, m.role AS m_role
    FROM sessions s JOIN users u ON u.id = s.user JOIN workspaces w ON w.id = s.workspace
    JOIN memberships m ON m.user = s.user AND m.workspace = s.workspace
    WHERE s.hash = ?`)
  const touch = db.prepare(
    'UPDATE sessions SET seen_at = :seenAt, address = :address WHERE hash = :hash AND seen_at < :seenAt',
  )
  const remove = db.prepare('DELETE FROM sessions WHERE hash = ?')
  const removeStale = db.prepare(`
    DELETE FROM sessions WHERE hash IN (
      SELECT hash FROM sessions WHERE created_at <= ? UNION ALL SELECT hash FROM sessions WHERE seen_at <= ?
      LIMIT ${maxStale})`)
  const removeExcess = db.prepare(`
    DELETE FROM sessions WHERE hash IN (
      SELECT hash FROM sessions WHERE user = ? ORDER BY seen_at DESC LIMIT ${maxStale} OFFSET ?)`)
  const openSession = (row: Row): OpenSession => {
    const session = sessionTable.read(row, 's_')
    const user = {
      email: String(row['u_email']),
      emailConfirmedAt: row['u_confirmed_at'] as number | null,
      totp: row['u_totp'] === null ? null : JSON.parse(String(row['u_totp'])),
      sessionsSince: Number(row['u_since']),
      operatorSince: row['u_operator_since'] as number | null,
      disabledAt: row['u_disabled_at'] as number | null,
    }
    return {
      session,
      ...sessionFacts(session, user),
      role: row['m_role'] as Role,
      workspace: workspaceTable.read(row, 'w_'),
    }
  }
  return {
    insertSession: async (session, audit) =>
      db.write(() => {
        insert.run(sessionTable.write(session))
        addEntries(audit)
      }),
    session: async (hash) => {
      const row = db.read(() => open.get(hash)) as Row | undefined
      return row === undefined ? null : openSession(row)
    },
    touchSession: async (hash, seenAt, address) => {
      db.writeOne(() => touch.run({ hash, seenAt, address }))
    },
    deleteSession: async (hash, audit) =>
      db.write(() => {
        const isRemoved = remove.run(hash).changes === 1
        if (isRemoved) addEntries(audit)
        return isRemoved
      }),
    deleteStaleSessions: async ({ createdBefore, seenBefore }) =>
      Number(db.writeOne(() => removeStale.run(createdBefore, seenBefore)).changes),
    deleteExcessSessions: async (user, keep) => Number(db.writeOne(() => removeExcess.run(user, keep)).changes),
  }
}

const workspaces = (db: SqliteDatabase): Workspaces => {
  const addEntries = auditEntries(db)
  const byId = db.prepare('SELECT * FROM workspaces WHERE id = ?')
  const replace = db.prepare(replaceIn('workspaces', workspaceTable))
  const newest = db.prepare('SELECT * FROM workspaces ORDER BY id DESC LIMIT ?')
  const olderThan = db.prepare('SELECT * FROM workspaces WHERE id < ? ORDER BY id DESC LIMIT ?')
  const find = (id: string) => {
    const row = byId.get(id) as Row | undefined
    return row === undefined ? null : workspaceTable.read(row)
  }
  return {
    workspace: async (id) => db.read(() => find(id)),
    changeWorkspace: async (id, change, entryOf) =>
      db.write(() => {
        const found = find(id)
        const changed = found && { ...found, ...change }
        const entry = changed && entryOf(found, changed)
        if (!entry) return found
        replace.run(workspaceTable.write(changed))
        addEntries(entry)
        return changed
      }),
    listWorkspaces: async (before, limit) => {
      const rows = db.read(() => (before === null ? newest.all(limit) : olderThan.all(before, limit)))
      return rows.map((row) => workspaceTable.read(row))
    },
  }
}

const keys = (db: SqliteDatabase): Keys => {
  const addEntries = auditEntries(db)
  const insert = db.prepare(insertInto('api_keys', keyTable))
  // `usesSlot` as the condition of the index.
  const count = db.prepare(
    'SELECT count(*) AS n FROM api_keys INDEXED BY api_keys_valid WHERE workspace = ? AND revoked_at IS NULL AND rolled_to IS NULL',
  )
  const byHash = db.prepare(`
    SELECT ${qualified('k', keyTable)}, ${qualified('w', workspaceTable)}
    FROM api_keys k JOIN workspaces w ON w.id = k.workspace WHERE k.hash = ?`)
  const byId = db.prepare('SELECT * FROM api_keys WHERE id = ? AND workspace = ?')
  // One statement for both kinds would sort all keys that the workspace ever had.
  const listed = (isRevoked: 0 | 1) =>
    db.prepare(`
      SELECT * FROM api_keys INDEXED BY api_keys_by_workspace
      WHERE workspace = ? AND (revoked_at IS NOT NULL) = ${isRevoked} ORDER BY id DESC LIMIT ?`)
  const [valid, revoked] = [listed(0), listed(1)]
  const list = (workspace: string, limit: number) => {
    const first = valid.all(workspace, limit)
    return [...first, ...revoked.all(workspace, limit - first.length)]
  }
  const replace = db.prepare(replaceIn('api_keys', keyTable))
  const touch = db.prepare(`
    UPDATE api_keys SET last_used_at = :usedAt, last_used_from = :usedFrom
    WHERE id = :id AND ifnull(last_used_at, 0) < :usedAt`)
  const find = (workspace: string, id: string): StoredKey | null => {
    const row = byId.get(id, workspace) as Row | undefined
    return row === undefined ? null : keyTable.read(row)
  }
  return {
    insertKey: async (key, max, audit) =>
      db.write(() => {
        if (Number(count.get(key.workspace)?.['n']) >= max) return false
        insert.run(keyTable.write(key))
        addEntries(audit)
        return true
      }),
    keyByHash: async (hash) => {
      const row = db.read(() => byHash.get(hash)) as Row | undefined
      return row === undefined ? null : { key: keyTable.read(row, 'k_'), workspace: workspaceTable.read(row, 'w_') }
    },
    key: async (workspace, id) => db.read(() => find(workspace, id)),
    listKeys: async (workspace, limit) => db.read(() => list(workspace, limit)).map((row) => keyTable.read(row)),
    changeKey: async (workspace, id, change, entryOf) =>
      db.write(() => {
        const found = find(workspace, id)
        const changed = found && { ...found, ...change }
        const entry = changed && entryOf(found, changed)
        if (!entry) return found
        replace.run(keyTable.write(changed))
        addEntries(entry)
        return changed
      }),
    rollKey: async ({ old, successor, expiresAt }, audit) =>
      db.write(() => {
        const found = find(old.workspace, old.id)
        if (found === null || !usesSlot(found)) return false
        if (!isDeepStrictEqual(keySettings(found), keySettings(old))) return false
        insert.run(keyTable.write(successor))
        replace.run(keyTable.write({ ...found, rolledTo: successor.id, expiresAt }))
        addEntries(audit)
        return true
      }),
    touchKey: async (id, usedAt, usedFrom) => {
      db.writeOne(() => touch.run({ id, usedAt, usedFrom }))
    },
  }
}

/** Accounts in SQLite. */
export const sqliteAccounts = (db: SqliteDatabase, slices?: Slices): AccountStore => ({
  ...users(db),
  ...sessions(db),
  ...workspaces(db),
  ...keys(db),
  ...accountsOperator(db, slices),
  ...sqlitePeople(db),
})

/** Reads the suspended workspaces from an index that contains no others. */
export const sqliteSuspensions = (db: SqliteDatabase): Suspensions => {
  const select = db.prepare('SELECT id FROM workspaces WHERE suspended = 1')
  return { suspended: async () => new Set(db.read(() => select.all()).map(({ id }) => String(id))) }
}
