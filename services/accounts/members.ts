import type { ChangeMemberRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ChangeMemberRequest.ts'
import type { MemberRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/MemberRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import type { Member as ShownMember } from '@postrider/contracts/services.ts'
import {
  changeRole,
  type Member,
  memberOf,
  type People,
  removeMember as removed,
  transferOwnership as transferred,
} from '@postrider/domain/accounts/people.ts'
import { isRole, type Role, roles } from '@postrider/domain/accounts/roles.ts'
import { hasTotp } from '@postrider/domain/accounts/users.ts'
import { Fault, hasCode, invalid } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'
import { changePeople, checkChange, noSuchWorkspaceFault, readPeople } from './people.ts'

type MemberDeps = Pick<Deps, 'accounts' | 'now' | 'limits'>

/** @throws Fault `validation_failed` at `role` */
export const checkedRole = (role: string): Role => {
  if (isRole(role)) return role
  throw invalid({ path: 'role', code: 'invalid_value', message: `Must be one of ${roles.join(', ')}.` })
}

/** What an entry of the audit log shows of a member. */
const roleState = (people: People, user: string) => {
  const role = memberOf(people, user)?.role
  return role === undefined ? null : { role }
}

const recordsOf = async (
  { accounts }: Pick<Deps, 'accounts'>,
  workspace: string,
  members: readonly Member[],
): Promise<ShownMember[]> => {
  const ids = members.map(({ user }) => user)
  const [users, seen] = await Promise.all([accounts.users(ids), accounts.lastSeen(workspace, ids)])
  const byId = new Map(users.map((user) => [user.id, user]))
  return members.flatMap(({ user, role, joinedAt }) => {
    const at = seen.get(user)
    const person = byId.get(user)
    if (person === undefined) return []
    const times = { joined_at: joinedAt, last_seen_at: at ?? null }
    return [{ user, email: person.email, role, ...times, totp_enabled: hasTotp(person) }]
  })
}

/** Returns the members of a workspace, the newest first. */
export const listMembers = async (
  deps: Pick<Deps, 'accounts'>,
  { workspace }: WorkspaceRequest__Output,
): Promise<{ members: ShownMember[] }> => {
  const { members } = await readPeople(deps, workspace)
  return { members: (await recordsOf(deps, workspace, members)).toReversed() }
}

const recordOf = async (deps: MemberDeps, workspace: string, people: People, user: string): Promise<ShownMember> => {
  const member = memberOf(people, user)
  const [record] = member === null ? [] : await recordsOf(deps, workspace, [member])
  if (record === undefined) throw new Fault('not_found', 'This workspace has no such member.')
  return record
}

/** Gives a member another role. Requests after this one have it. */
export const changeMember = async (deps: MemberDeps, request: ChangeMemberRequest__Output): Promise<ShownMember> => {
  const { workspace, user: actor, member: user, client_address: clientAddress } = request
  const role = checkedRole(request.role)
  const people = await changePeople(deps, workspace, {
    decide: (from) => changeRole(from, { actor, user, role }),
    entryOf: (from) => ({
      actor,
      clientAddress,
      action: 'member.update',
      target: user,
      before: roleState(from, user),
      after: { role },
    }),
  })
  return recordOf(deps, workspace, people, user)
}

/** Removes a member, or the acting person. Keys that they made stay. */
export const removeMember = async (deps: MemberDeps, request: MemberRequest__Output) => {
  const { workspace, user: actor, member, client_address: clientAddress } = request
  await changePeople(deps, workspace, {
    decide: (from) => removed(from, { actor, user: member }),
    entryOf: (from) => ({
      actor,
      clientAddress,
      action: actor === member ? 'member.leave' : 'member.remove',
      target: member,
      before: roleState(from, member),
    }),
  }).catch((thrown: unknown) => {
    // A person who leaves a workspace of others does not learn whether it exists.
    throw actor === member && hasCode(thrown, 'not_found') ? noSuchWorkspaceFault() : thrown
  })
  return {}
}

/** An owner who cannot log in would leave the workspace without one. */
const refuseDisabled = async ({ accounts }: Pick<Deps, 'accounts'>, user: string): Promise<void> => {
  if ((await accounts.findUser(user))?.disabled)
    throw new Fault('conflict', 'The operator disabled the account of this member; choose another member.')
}

/** Makes the member an owner and the acting owner an admin. */
export const transferOwnership = async (deps: MemberDeps, request: MemberRequest__Output): Promise<ShownMember> => {
  const { workspace, user: actor, member, client_address: clientAddress } = request
  const decide = (from: People) => transferred(from, { actor, user: member })
  await checkChange(deps, workspace, decide)
  await refuseDisabled(deps, member)
  const people = await changePeople(deps, workspace, {
    decide,
    entryOf: (from) => ({
      actor,
      clientAddress,
      action: 'workspace.transfer',
      target: member,
      before: roleState(from, member),
      after: { role: 'owner', former_owner: actor },
    }),
  })
  return recordOf(deps, workspace, people, member)
}
