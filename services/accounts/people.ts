import type { People, PeopleDecision, PeopleLimits, PeopleRefusal } from '@postrider/domain/accounts/people.ts'
import { roleRefusal } from '@postrider/domain/accounts/roles.ts'
import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import type { AuditBy } from '@postrider/domain/audit/entry.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { busyFault, retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { StoredPeople } from '@postrider/ports/accounts.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { newEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'

/* How members and invitations of a workspace are changed; members.ts, invitations.ts and acceptInvitation.ts use it. */

export type PeopleDeps = Pick<Deps, 'accounts' | 'now' | 'limits'>

const refusalTexts = {
  no_such_member: ['not_found', 'This workspace has no such member.'],
  last_owner: ['conflict', 'This is the last owner of the workspace; make another member an owner first.'],
  own_ownership: ['conflict', 'You own this workspace already; name another member.'],
  is_member: ['conflict', 'This person is a member of the workspace already.'],
  is_invited: [
    'conflict',
    'This address is already invited; send the invitation again with POST /api/v1/members/invitations/{id}/resend, or revoke it first.',
  ],
  no_such_invitation: ['not_found', 'This workspace has no such invitation.'],
} as const satisfies Partial<Record<PeopleRefusal['reason'], readonly [Fault['code'], string]>>

const faultOf = (refusal: PeopleRefusal, limits: PeopleLimits): Fault => {
  switch (refusal.reason) {
    case 'needs_permission':
      return new Fault('forbidden', roleRefusal(refusal.permission))
    case 'above_own_role':
      return new Fault('forbidden', `Your role may not assign, change or remove the role ${refusal.role}.`)
    case 'too_many_members': {
      const text = `A workspace may have at most ${limits.members} members, invited people included; remove one first.`
      return new Fault('conflict', text)
    }
    case 'too_many_invitations': {
      const text = `A workspace may have at most ${limits.invitations} open invitations; revoke one first.`
      return new Fault('conflict', text)
    }
    default: {
      const [code, text] = refusalTexts[refusal.reason]
      return new Fault(code, text)
    }
  }
}

export const noSuchWorkspaceFault = () => new Fault('not_found', 'There is no such workspace.')

/** What a change writes in addition to the lists: its entry in the audit log. */
type ChangeEntry = Omit<AuditBy, 'at'> & { action: AuditAction } & Pick<AuditEntry, 'target'> &
  Partial<Pick<AuditEntry, 'before' | 'after'>>

type Change = {
  /** It is made again, over the new state, whenever another change was faster. */
  decide: (people: People) => PeopleDecision
  entryOf: (from: People) => ChangeEntry
}

export const readPeople = async ({ accounts }: Pick<Deps, 'accounts'>, workspace: string): Promise<StoredPeople> => {
  const people = await accounts.people(workspace)
  if (people === null) throw noSuchWorkspaceFault()
  return people
}

/**
 * Decides over members and invitations and writes nothing.
 * @returns the lists as they are
 * @throws Fault of the refusal
 */
export const checkChange = async (deps: PeopleDeps, workspace: string, decide: Change['decide']): Promise<People> => {
  const people = await readPeople(deps, workspace)
  const decision = decide(people)
  if (decision.kind === 'refused') throw faultOf(decision, deps.limits.people)
  return people
}

/**
 * Decides over members and invitations and writes the result, in one write with its entry of the audit log.
 * @returns the lists after the change
 * @throws Fault of the refusal; `not_found`: there is no such workspace; `unavailable`: too many others change the
 * lists
 */
export const changePeople = async (
  deps: PeopleDeps,
  workspace: string,
  { decide, entryOf }: Change,
): Promise<People> => {
  const { accounts, now, limits } = deps
  return retryOnConflict(
    async () => {
      const from = await readPeople(deps, workspace)
      const decision = decide(from)
      if (decision.kind === 'refused') throw faultOf(decision, limits.people)
      if (decision.kind === 'unchanged') return from
      const { actor, clientAddress, ...act } = withDropped(entryOf(from), from, decision.people)
      const entry = newEntry({ actor, clientAddress, at: now() }, { workspace, ...act })
      if (await accounts.changePeople(workspace, { from, to: decision.people }, entry)) return decision.people
      return undefined
    },
    { rounds: 'people', onBusy: () => busyFault('list of members') },
  )
}

/** Adds the number of invitations that end because the person who made them may not give their roles any more. */
const withDropped = (entry: ChangeEntry, from: People, to: People): ChangeEntry => {
  const dropped = from.invitations.filter(({ id }) => to.invitations.every((other) => other.id !== id)).length
  const isChangeOfMembers = !entry.action.startsWith('invitation.')
  return isChangeOfMembers && dropped > 0
    ? { ...entry, after: { ...entry.after, revoked_invitations: dropped } }
    : entry
}
