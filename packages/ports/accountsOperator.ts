import type { UserSearch, WorkspaceSearch } from '@postrider/domain/accounts/operatorSearch.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { PlanName } from '@postrider/domain/quota/plans.ts'
import type { EntryOf } from './audit.ts'
import type { StoredWorkspace } from './storedWorkspace.ts'

/** Reads and changes of the operator across all workspaces. Lists are newest first, and start after the id `before`. */
export type OperatorAccounts = {
  /**
   * Returns the workspaces that fit every given part of the query. `too_many_users`: more than `maxUsers` users have
   * the text in their addresses.
   */
  findWorkspaces(query: WorkspaceQuery): Promise<StoredWorkspace[] | 'too_many_users'>
  /** Returns the ids of workspaces whose deletion is due, the longest overdue first. */
  workspacesToDelete(now: number, limit: number): Promise<string[]>

  findUsers(query: UserQuery): Promise<OperatorUser[]>
  findUser(id: string): Promise<OperatorUser | null>
  /**
   * Disables a user and deletes the user's sessions; null enables the user again at the time of the entry
   * (`disabledChange`). A disabled user has no valid session, even if one is inserted at the same time. That session is
   * not valid when the user is enabled again either.
   * @returns the changed user; null: it does not exist
   */
  setUserDisabled(id: string, disabled: Disabled | null, entryOf: EntryOf<OperatorUser>): Promise<OperatorUser | null>
  /** Marks a user as an operator, or removes the mark (null). @returns the changed user; null: it does not exist */
  setOperator(id: string, since: number | null, entryOf: EntryOf<OperatorUser>): Promise<OperatorUser | null>
  /** Writes the time at which a user was seen, which never decreases. */
  touchUser(id: string, seenAt: number): Promise<void>
}

/** Filter of a search for workspaces, one page. */
export type WorkspaceQuery = WorkspaceSearch & {
  before: string | null
  limit: number
  /** Maximum number of users whose workspaces are found by a part of the address. */
  maxUsers: number
  /** The plan in effect at a time, as the ledger has it; null: every plan. */
  plan: { name: PlanName; at: number } | null
}

export type UserQuery = UserSearch & { before: string | null; limit: number }

/** `reason` is for the user; empty: none is given. */
export type Disabled = { at: number; reason: string }

/** A user as the operator sees it. */
export type OperatorUser = {
  id: string
  email: string
  createdAt: number
  /** Time when the user was last seen, to the hour. Null: not seen since this field was introduced. */
  lastSeenAt: number | null
  /** Null: the user is enabled. */
  disabled: Disabled | null
  /** When the user was marked as an operator; null: the user is not an operator. */
  operatorSince: number | null
  /** Whether the user has a second factor. */
  hasTotp: boolean
  /** Workspaces in the order of joining. */
  workspaces: { id: string; name: string; role: Role }[]
}
