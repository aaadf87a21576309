import { matchesAddress, matchesUser, matchesWorkspace } from '@postrider/domain/accounts/operatorSearch.ts'
import { disabledChange, hasTotp } from '@postrider/domain/accounts/users.ts'
import type { StoredPeople, StoredSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { Disabled, OperatorAccounts, OperatorUser } from '@postrider/ports/accountsOperator.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'

type Memory = {
  users: Map<string, User>
  people: ReadonlyMap<string, StoredPeople>
  sessions: Map<string, StoredSession>
  workspaces: ReadonlyMap<string, StoredWorkspace>
  /** Users that are disabled, by id. */
  disabled: Map<string, Disabled>
  /** When users were marked as operators, by id. */
  operators: Map<string, number>
  audit: { entries: AuditEntry[] }
}

type Page = { before: string | null; limit: number }

const page = <Item extends { id: string }>(items: Iterable<Item>, { before, limit }: Page): Item[] =>
  [...items]
    .filter(({ id }) => before === null || id < before)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)

/** The operator's part of the accounts in memory. */
export const memoryOperator = (memory: Memory): OperatorAccounts => {
  const { users, people, sessions, workspaces, disabled, operators, audit } = memory
  const seen = new Map<string, number>()
  const emailsIn = (workspace: string) =>
    (people.get(workspace)?.members ?? []).map(({ user }) => users.get(user)?.email ?? '')
  const operatorUser = ({ id, email, createdAt, totp }: User): OperatorUser => ({
    id,
    email,
    createdAt,
    lastSeenAt: seen.get(id) ?? null,
    disabled: disabled.get(id) ?? null,
    operatorSince: operators.get(id) ?? null,
    hasTotp: hasTotp({ totp }),
    workspaces: [...people]
      .flatMap(([workspace, { members }]) => members.map((member) => ({ workspace, ...member })))
      .filter(({ user }) => user === id)
      .toSorted((a, b) => a.joinedAt - b.joinedAt)
      .map(({ workspace, role }) => ({ id: workspace, name: workspaces.get(workspace)?.name ?? '', role })),
  })
  const findUser = (id: string): OperatorUser | null => {
    const user = users.get(id)
    return user ? operatorUser(user) : null
  }
  return {
    findWorkspaces: async (query) => {
      const { text, plan, maxUsers } = query
      const matched = text === null ? [] : [...users.values()].filter(({ email }) => matchesAddress(text, email))
      if (matched.length > maxUsers) return 'too_many_users'
      const fits = (one: StoredWorkspace): boolean =>
        (plan === null || one.plan === plan.name) &&
        matchesWorkspace(query, one, text !== null && emailsIn(one.id).some((email) => matchesAddress(text, email)))
      return page([...workspaces.values()].filter(fits), query)
    },
    workspacesToDelete: async (now, limit) =>
      [...workspaces.values()]
        .filter(({ deletesAt }) => deletesAt !== null && deletesAt <= now)
        .sort((a, b) => (a.deletesAt ?? 0) - (b.deletesAt ?? 0))
        .slice(0, limit)
        .map(({ id }) => id),
    findUsers: async (query) => {
      const fits = ({ id, email }: User) =>
        matchesUser(query, { id, email, isDisabled: disabled.has(id), isOperator: operators.has(id) })
      return page([...users.values()].filter(fits), query).map(operatorUser)
    },
    findUser: async (id) => findUser(id),
    setUserDisabled: async (id, given, entryOf) => {
      const found = findUser(id)
      const entry = found && entryOf(found, { ...found, disabled: given })
      if (!entry) return found
      audit.entries.push(entry)
      if (given) {
        disabled.set(id, given)
        for (const [name, { user }] of sessions) if (user === id) sessions.delete(name)
      } else disabled.delete(id)
      const user = users.get(id)
      if (user) users.set(id, { ...user, sessionsSince: disabledChange(user, given, entry.at).sessionsSince })
      return findUser(id)
    },
    setOperator: async (id, since, entryOf) => {
      const found = findUser(id)
      const entry = found && entryOf(found, { ...found, operatorSince: since })
      if (!entry) return found
      audit.entries.push(entry)
      if (since === null) operators.delete(id)
      else operators.set(id, since)
      return findUser(id)
    },
    touchUser: async (id, seenAt) => void seen.set(id, Math.max(seenAt, seen.get(id) ?? 0)),
  }
}
