import { dayMs } from '../time.ts'
import { isAtLeast, mayDo, type Permission, type Role } from './roles.ts'

/*
 * Who belongs to a workspace, and who is invited. Every change is a pure decision over both lists, and the store writes
 * its result only if neither list has changed since. So of two concurrent decisions the second is made again, over the
 * result of the first: a workspace always has an owner, and an invitation is accepted once.
 */

export type Member = { user: string; role: Role; joinedAt: number }

/** An invitation that was neither accepted nor revoked. Times are milliseconds since the epoch. */
export type Invitation = {
  id: string
  /** The invited address, in the form normalized at sign-up. */
  email: string
  role: Role
  /** The member who vouches for it: who made it, or sent it again. */
  invitedBy: string
  createdAt: number
  sentAt: number
  /** It cannot be accepted at this time and later. */
  expiresAt: number
}

export type People = { members: readonly Member[]; invitations: readonly Invitation[] }

/** Reason why a change is refused. */
export type PeopleRefusal =
  | { reason: 'needs_permission'; permission: Permission }
  | { reason: 'above_own_role'; role: Role }
  | {
      reason:
        | 'no_such_member'
        | 'last_owner'
        | 'own_ownership'
        | 'is_member'
        | 'is_invited'
        | 'no_such_invitation'
        | 'too_many_members'
        | 'too_many_invitations'
    }

export type PeopleDecision =
  | { kind: 'changed'; people: People }
  | { kind: 'unchanged' }
  | ({ kind: 'refused' } & PeopleRefusal)

/** Maximum number of members, invited people included, and of invitations of a workspace. */
export type PeopleLimits = { members: number; invitations: number }

/** An expired invitation is listed for so long, so that it can be sent again. */
const expiredForMs = 30 * dayMs

type Refused = Extract<PeopleDecision, { kind: 'refused' }>

const refused = (refusal: PeopleRefusal): Refused => ({ kind: 'refused', ...refusal })

/** Returns the first member of a new workspace, who is its owner. */
export const firstMember = (user: string, { createdAt }: { createdAt: number }): Member => ({
  user,
  role: 'owner',
  joinedAt: createdAt,
})

export const memberOf = ({ members }: Pick<People, 'members'>, user: string): Member | null =>
  members.find((member) => member.user === user) ?? null

const invitationOf = ({ invitations }: People, id: string): Invitation | null =>
  invitations.find((invitation) => invitation.id === id) ?? null

/** Returns why a person may not act on a role, such as give it or take it away; null: they may. */
const refusalOf = (people: People, actor: string, role: Role): Refused | null => {
  const own = memberOf(people, actor)?.role
  if (own === undefined || !mayDo(own, 'members:write'))
    return refused({ reason: 'needs_permission', permission: 'members:write' })
  return isAtLeast(own, role) ? null : refused({ reason: 'above_own_role', role })
}

const isLastOwner = ({ members }: People, user: string): boolean =>
  members.every((member) => (member.role === 'owner') === (member.user === user))

/**
 * Returns the change to these members. An invitation is dropped when the person who made it may not give its role any
 * more.
 */
const withMembers = ({ invitations }: People, members: readonly Member[]): PeopleDecision => {
  const mayGive = ({ invitedBy, role }: Invitation): boolean =>
    refusalOf({ members, invitations: [] }, invitedBy, role) === null
  return { kind: 'changed', people: { members, invitations: invitations.filter(mayGive) } }
}

const withRole = (members: readonly Member[], user: string, role: Role): Member[] =>
  members.map((member) => (member.user === user ? { ...member, role } : member))

type ByActor = { actor: string; user: string }

/** Gives a member another role. */
export const changeRole = (people: People, { actor, user, role }: ByActor & { role: Role }): PeopleDecision => {
  const target = memberOf(people, user)
  const notAllowed = refusalOf(people, actor, role)
  if (notAllowed?.reason === 'needs_permission') return notAllowed
  if (target === null) return refused({ reason: 'no_such_member' })
  const refusal = notAllowed ?? refusalOf(people, actor, target.role)
  if (refusal) return refusal
  if (target.role === role) return { kind: 'unchanged' }
  if (isLastOwner(people, user)) return refused({ reason: 'last_owner' })
  return withMembers(people, withRole(people.members, user, role))
}

/** Removes a member. Everyone may remove themselves: leave. */
export const removeMember = (people: People, { actor, user }: ByActor): PeopleDecision => {
  const target = memberOf(people, user)
  if (actor !== user) {
    const refusal = refusalOf(people, actor, target?.role ?? 'viewer')
    if (refusal) return refusal
  }
  if (target === null) return refused({ reason: 'no_such_member' })
  if (isLastOwner(people, user)) return refused({ reason: 'last_owner' })
  return withMembers(
    people,
    people.members.filter((member) => member.user !== user),
  )
}

/** Makes another member an owner, and the acting owner an admin. */
export const transferOwnership = (people: People, { actor, user }: ByActor): PeopleDecision => {
  if (memberOf(people, actor)?.role !== 'owner')
    return refused({ reason: 'needs_permission', permission: 'ownership:write' })
  if (actor === user) return refused({ reason: 'own_ownership' })
  if (memberOf(people, user) === null) return refused({ reason: 'no_such_member' })
  return withMembers(people, withRole(withRole(people.members, user, 'owner'), actor, 'admin'))
}

/** Returns the users who are a member in one of two lists only: those who came and those who left. */
export const joinedOrLeft = (from: Pick<People, 'members'>, to: Pick<People, 'members'>): string[] =>
  [
    ...from.members.filter(({ user }) => memberOf(to, user) === null),
    ...to.members.filter(({ user }) => memberOf(from, user) === null),
  ].map(({ user }) => user)

export const isPending = ({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: number): boolean => now < expiresAt

type NewInvitation = {
  invitation: Invitation
  /** The user with the invited address; null: there is none. */
  user: string | null
  limits: PeopleLimits
}

/** Adds an invitation. It replaces an expired one of the same address. */
export const invite = (people: People, { invitation, user, limits }: NewInvitation): PeopleDecision => {
  const { createdAt: now, email, invitedBy, role } = invitation
  const refusal = refusalOf(people, invitedBy, role)
  if (refusal) return refusal
  if (user !== null && memberOf(people, user)) return refused({ reason: 'is_member' })
  const former = people.invitations.filter(
    (other) => isPending(other, now) || (other.email !== email && now < other.expiresAt + expiredForMs),
  )
  if (former.some((other) => other.email === email)) return refused({ reason: 'is_invited' })
  if (former.length >= limits.invitations) return refused({ reason: 'too_many_invitations' })
  if (people.members.length + former.length >= limits.members) return refused({ reason: 'too_many_members' })
  return { kind: 'changed', people: { members: people.members, invitations: [...former, invitation] } }
}

type OfInvitation = { actor: string; id: string }

/** Removes an invitation. */
export const revokeInvitation = (people: People, { actor, id }: OfInvitation): PeopleDecision => {
  const invitation = invitationOf(people, id)
  const refusal = refusalOf(people, actor, invitation?.role ?? 'viewer')
  if (refusal) return refusal
  if (invitation === null) return refused({ reason: 'no_such_invitation' })
  const invitations = people.invitations.filter((other) => other.id !== id)
  return { kind: 'changed', people: { members: people.members, invitations } }
}

/** Renews an invitation, also an expired one. The person who sends it again vouches for it. */
export const renewInvitation = (
  people: People,
  { actor, id, now, lifeMs }: OfInvitation & { now: number; lifeMs: number },
): PeopleDecision => {
  const invitation = invitationOf(people, id)
  const refusal = refusalOf(people, actor, invitation?.role ?? 'viewer')
  if (refusal) return refusal
  if (invitation === null) return refused({ reason: 'no_such_invitation' })
  const renewed = { ...invitation, invitedBy: actor, sentAt: now, expiresAt: now + lifeMs }
  const invitations = people.invitations.map((other) => (other.id === id ? renewed : other))
  return { kind: 'changed', people: { members: people.members, invitations } }
}

/**
 * Makes the invited person a member and ends the invitation. A user who is a member already keeps their role.
 * @param accepted `sentAt` is that of the mail with the link: an email that was sent later replaces it
 */
export const acceptInvitation = (
  people: People,
  { id, sentAt, user, now }: { id: string; sentAt: number; user: string; now: number },
): PeopleDecision => {
  const invitation = invitationOf(people, id)
  if (invitation === null || invitation.sentAt !== sentAt || !isPending(invitation, now))
    return refused({ reason: 'no_such_invitation' })
  if (memberOf(people, user)) return refused({ reason: 'is_member' })
  const members = [...people.members, { user, role: invitation.role, joinedAt: now }]
  return { kind: 'changed', people: { members, invitations: people.invitations.filter((other) => other.id !== id) } }
}
