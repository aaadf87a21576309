import type { ListUsersRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ListUsersRequest.ts'
import type { UserControls__Output } from '@postrider/contracts/gen/postrider/accounts/v1/UserControls.ts'
import type { UserRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/UserRequest.ts'
import type { UserState } from '@postrider/contracts/services.ts'
import { reasonProblems } from '@postrider/domain/accounts/workspaceRules.ts'
import { auditedChange, byOperator } from '@postrider/domain/audit/entry.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import type { OperatorUser } from '@postrider/ports/accountsOperator.ts'
import { newEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'
import { pageSize } from './workspaces.ts'

const userState = ({ id, email, createdAt, lastSeenAt, disabled, workspaces }: OperatorUser): UserState => ({
  id,
  email,
  workspaces,
  created_at: createdAt,
  last_seen_at: lastSeenAt,
  disabled: disabled !== null,
  disabled_reason: disabled?.reason ?? '',
})

const noSuchUserFault = () => new Fault('not_found', 'There is no such user.')

const existing = async ({ accounts }: Deps, id: string): Promise<OperatorUser> => {
  const user = isId('usr', id) ? await accounts.findUser(id) : null
  if (user === null) throw noSuchUserFault()
  return user
}

/** Returns users to the operator, newest first; `limit` 0 is a page of 20. */
export const listUsers = async (
  { accounts }: Deps,
  { before, limit, query, disabled }: ListUsersRequest__Output,
): Promise<{ users: UserState[] }> => {
  const page = { before: before || null, limit: pageSize(limit) }
  const users = await accounts.findUsers({ ...page, text: query || null, disabled: disabled ?? null, operator: null })
  return { users: users.map(userState) }
}

export const getUser = async (deps: Deps, { id }: UserRequest__Output): Promise<UserState> =>
  userState(await existing(deps, id))

const disabledState = ({ disabled }: OperatorUser) => ({
  disabled: disabled !== null,
  reason: disabled?.reason ?? '',
})

/**
 * Disables a user and ends the user's sessions, or enables the user again. Workspaces and their keys are not affected.
 */
export const setUserControls = async (
  deps: Deps,
  { id, disabled, reason, operator, client_address: clientAddress }: UserControls__Output,
): Promise<UserState> => {
  refuseAny(reasonProblems(reason, disabled, 'disabled'))
  const { accounts, now } = deps
  const found = await existing(deps, id)
  const at = now()
  const wanted = disabled ? { at: found.disabled?.at ?? at, reason } : null
  const by = { ...byOperator(operator), clientAddress, at }
  const action = disabled ? 'user.disable' : 'user.enable'
  const changed = await accounts.setUserDisabled(id, wanted, (before, after) => {
    const change = auditedChange(before, after, disabledState)
    return change && newEntry(by, { workspace: '', action, target: id, ...change })
  })
  if (changed === null) throw noSuchUserFault()
  return userState(changed)
}

/** @throws Fault `forbidden`: the operator disabled the user. Only a caller with the right password learns that */
export const requireEnabled = async ({ accounts }: Pick<Deps, 'accounts'>, id: string): Promise<void> => {
  const disabled = (await accounts.findUser(id))?.disabled
  if (!disabled) return
  const why = disabled.reason === '' ? '' : `: ${disabled.reason}`
  throw new Fault('forbidden', `The operator disabled this account${why}`)
}
