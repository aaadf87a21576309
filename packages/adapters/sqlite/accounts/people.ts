import { firstMember, joinedOrLeft } from '@postrider/domain/accounts/people.ts'
import type { PeopleStore, StoredPeople } from '@postrider/ports/accounts.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { unlessTaken } from '../client/errors.ts'
import { insertInto, invitationTable, memberTable, userTable, workspaceTable } from './rows.ts'

type Writes = Pick<PeopleStore, 'changePeople' | 'moveSession'>
type Inserts = Pick<PeopleStore, 'insertUser' | 'insertWorkspace'>
type Reads = Pick<PeopleStore, 'users' | 'people' | 'lastSeen'>

/** Returns members and invitations; null: there is no such workspace. */
const peopleReader = (db: SqliteDatabase): ((workspace: string) => StoredPeople | null) => {
  const version = db.prepare('SELECT people_version FROM workspaces WHERE id = ?')
  const members = db.prepare('SELECT * FROM memberships WHERE workspace = ? ORDER BY created_at, user')
  const invitations = db.prepare('SELECT * FROM invitations WHERE workspace = ? ORDER BY created_at, id')
  return (workspace) => {
    const row = version.get(workspace)
    if (row === undefined) return null
    return {
      version: Number(row['people_version']),
      members: (members.all(workspace) as Row[]).map((member) => memberTable.read(member)),
      invitations: (invitations.all(workspace) as Row[]).map((invitation) => invitationTable.read(invitation)),
    }
  }
}

const reads = (db: SqliteDatabase): Reads => {
  const readPeople = peopleReader(db)
  const byIds = db.prepare('SELECT * FROM users WHERE id IN (SELECT value FROM json_each(?))')
  // One index lookup for each user. With GROUP BY SQLite would read all their sessions.
  const seen = db.prepare(`
    SELECT value AS user, (SELECT max(seen_at) FROM sessions WHERE user = value AND workspace = ?) AS at
    FROM json_each(?) WHERE at IS NOT NULL`)
  return {
    users: async (ids) => (db.read(() => byIds.all(JSON.stringify(ids))) as Row[]).map((row) => userTable.read(row)),
    people: async (workspace) => db.read(() => readPeople(workspace)),
    lastSeen: async (workspace, users) => {
      const rows = db.read(() => seen.all(workspace, JSON.stringify(users)))
      return new Map(rows.map(({ user, at }) => [String(user), Number(at)]))
    },
  }
}

const inserts = (db: SqliteDatabase): Inserts => {
  const insertUser = db.prepare(insertInto('users', userTable))
  const insertWorkspace = db.prepare(insertInto('workspaces', workspaceTable))
  const insertMember = db.prepare(insertInto('memberships', memberTable, ['workspace']))
  const addEntry = auditEntries(db)
  return {
    insertUser: async (user, audit) =>
      unlessTaken(false, () =>
        db.write(() => {
          insertUser.run(userTable.write(user))
          addEntry(audit)
          return true
        }),
      ),
    insertWorkspace: async (workspace, owner, audit) =>
      db.write(() => {
        insertWorkspace.run(workspaceTable.write(workspace))
        insertMember.run({ ...memberTable.write(firstMember(owner, workspace)), workspace: workspace.id })
        addEntry(audit)
      }),
  }
}

const writes = (db: SqliteDatabase): Writes => {
  const claim = db.prepare(
    'UPDATE workspaces SET people_version = people_version + 1 WHERE id = ? AND people_version = ?',
  )
  const removeMembers = db.prepare('DELETE FROM memberships WHERE workspace = ?')
  const insertMember = db.prepare(insertInto('memberships', memberTable, ['workspace']))
  const removeInvitations = db.prepare('DELETE FROM invitations WHERE workspace = ?')
  const insertInvitation = db.prepare(insertInto('invitations', invitationTable, ['workspace']))
  const endSessions = db.prepare('DELETE FROM sessions WHERE user = ? AND workspace = ?')
  const move = db.prepare(`
    UPDATE sessions SET workspace = :workspace, csrf_salt = :csrfSalt WHERE hash = :hash AND user = :user
    AND EXISTS (SELECT 1 FROM memberships WHERE user = :user AND workspace = :workspace)`)
  const addEntry = auditEntries(db)
  return {
    changePeople: async (workspace, { from, to }, audit) =>
      db.write(() => {
        if (claim.run(workspace, from.version).changes !== 1) return false
        removeMembers.run(workspace)
        for (const member of to.members) insertMember.run({ ...memberTable.write(member), workspace })
        removeInvitations.run(workspace)
        for (const invitation of to.invitations)
          insertInvitation.run({ ...invitationTable.write(invitation), workspace })
        for (const user of joinedOrLeft(from, to)) endSessions.run(user, workspace)
        addEntry(audit)
        return true
      }),
    moveSession: async (hash, { user, workspace, csrfSalt }, audit) =>
      db.write(() => {
        if (move.run({ hash, user, workspace, csrfSalt }).changes !== 1) return false
        addEntry(audit)
        return true
      }),
  }
}

/** Members, invitations, and the workspaces of a user in SQLite. */
export const sqlitePeople = (db: SqliteDatabase): PeopleStore => ({ ...reads(db), ...inserts(db), ...writes(db) })
