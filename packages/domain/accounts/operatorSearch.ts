import { containsText } from '../letterCase.ts'

/**
 * Rules of a search of the operator: stores may select with their own means first, and these decide. Null: every value.
 */
export type WorkspaceSearch = {
  /** A workspace's id, a part of its name, or a part of a member's address, in any case. */
  text: string | null
  suspended: boolean | null
  /** Whether its deletion is scheduled. */
  deleting: boolean | null
}

export type UserSearch = {
  /** A user's id or a part of the address, in any case. */
  text: string | null
  disabled: boolean | null
  /** Whether the user is marked as an operator. */
  operator: boolean | null
}

const isOrAny = (wanted: boolean | null, value: boolean): boolean => wanted === null || wanted === value

const isId = (id: string, text: string): boolean => id === text.toLowerCase()

/** Returns whether a search for a text finds the workspaces of the user with this address. */
export const matchesAddress = (text: string, email: string): boolean => containsText(email, text)

/** @param hasMatchedMember whether `matchesAddress` applies to a member */
export const matchesWorkspace = (
  { text, suspended, deleting }: WorkspaceSearch,
  workspace: { id: string; name: string; suspended: boolean; deletesAt: number | null },
  hasMatchedMember: boolean,
): boolean =>
  (text === null || isId(workspace.id, text) || containsText(workspace.name, text) || hasMatchedMember) &&
  isOrAny(suspended, workspace.suspended) &&
  isOrAny(deleting, workspace.deletesAt !== null)

export const matchesUser = (
  { text, disabled, operator }: UserSearch,
  user: { id: string; email: string; isDisabled: boolean; isOperator: boolean },
): boolean =>
  (text === null || isId(user.id, text) || containsText(user.email, text)) &&
  isOrAny(disabled, user.isDisabled) &&
  isOrAny(operator, user.isOperator)
