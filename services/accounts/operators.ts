import type { AddOperatorRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/AddOperatorRequest.ts'
import type { ListUsersRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ListUsersRequest.ts'
import type { OperatorRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/OperatorRequest.ts'
import type { OperatorState } from '@postrider/contracts/services.ts'
import { operatorProblem, unknownUser } from '@postrider/domain/accounts/operatorRules.ts'
import { normalizeEmail } from '@postrider/domain/accounts/textRules.ts'
import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { auditedChange, byOperator } from '@postrider/domain/audit/entry.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import type { OperatorUser } from '@postrider/ports/accountsOperator.ts'
import type { EntryOf } from '@postrider/ports/audit.ts'
import { newEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'
import { pageSize } from './workspaces.ts'

/*
 * Users who are marked as operators. A session of one may use the operator's routes, if it passed the second factor of
 * the user (services/gateway/steps/operatorAccess.ts). Only the holder of the operator's token marks users, so the
 * entries name no user.
 */

const operatorState = (user: OperatorUser, since: number): OperatorState => ({
  id: user.id,
  email: user.email,
  totp_enabled: user.hasTotp,
  disabled: user.disabled !== null,
  last_seen_at: user.lastSeenAt,
  since,
})

/** Returns operators, the newest account first; `limit` 0 is a page of 20. */
export const listOperators = async (
  { accounts }: Deps,
  { before, limit, query }: ListUsersRequest__Output,
): Promise<{ operators: OperatorState[] }> => {
  const page = { before: before || null, limit: pageSize(limit) }
  const found = await accounts.findUsers({ ...page, text: query || null, disabled: null, operator: true })
  const operators = found.flatMap((user) =>
    user.operatorSince === null ? [] : [operatorState(user, user.operatorSince)],
  )
  return { operators }
}

const operatorEntry = (
  { now }: Pick<Deps, 'now'>,
  action: AuditAction & `operator.${string}`,
  clientAddress: string,
): EntryOf<OperatorUser> => {
  const by = { ...byOperator(undefined), clientAddress, at: now() }
  return (before, after) => {
    const change = auditedChange(before, after, ({ operatorSince }) => ({ operator: operatorSince !== null }))
    return change && newEntry(by, { workspace: '', action, target: before.id, ...change })
  }
}

/**
 * Marks the user of an address. A user who is an operator already stays one.
 * @throws Fault `validation_failed` at `email`: no user has the address, or the user has not confirmed it, or has no
 * second factor
 */
export const addOperator = async (
  deps: Deps,
  { email, client_address: clientAddress }: AddOperatorRequest__Output,
): Promise<OperatorState> => {
  const { accounts, now } = deps
  const address = normalizeEmail(email)
  if (!('email' in address)) throw invalid({ path: 'email', ...address })
  const user = await accounts.userByEmail(address.email)
  if (user === null) throw invalid(unknownUser)
  const marked = (await accounts.findUser(user.id))?.operatorSince ?? null
  const problem = operatorProblem(user, marked)
  if (problem !== null) throw invalid(problem)
  const since = marked ?? now()
  const changed = await accounts.setOperator(user.id, since, operatorEntry(deps, 'operator.add', clientAddress))
  if (changed === null) throw noSuchOperatorFault()
  return operatorState(changed, since)
}

const noSuchOperatorFault = () => new Fault('not_found', 'There is no operator with this id.')

/** Removes the mark: the next request of the user is refused. @throws Fault `not_found`: the user is not an operator */
export const removeOperator = async (
  deps: Deps,
  { id, client_address: clientAddress }: OperatorRequest__Output,
): Promise<Record<string, never>> => {
  const { accounts } = deps
  const found = isId('usr', id) ? await accounts.findUser(id) : null
  if ((found?.operatorSince ?? null) === null) throw noSuchOperatorFault()
  await accounts.setOperator(id, null, operatorEntry(deps, 'operator.remove', clientAddress))
  return {}
}
