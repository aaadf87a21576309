import assert from 'node:assert/strict'
import {
  acceptInvitation,
  changeRole,
  firstMember,
  type Invitation,
  invite,
  joinedOrLeft,
  type People,
  type PeopleDecision,
  removeMember,
  renewInvitation,
  revokeInvitation,
  transferOwnership,
} from './people.ts'
import type { Role } from './roles.ts'

/** Members with these roles; the role names the user, and a second one has a 2. */
const workspace = (...users: (Role | 'owner2' | 'admin2')[]): People => ({
  members: users.map((user, index) => ({ user, role: user.replace('2', '') as Role, joinedAt: index })),
  invitations: [],
})

const everyone = workspace('owner', 'owner2', 'admin', 'admin2', 'member', 'viewer')

const dayMs = 86_400_000
const limits = { members: 8, invitations: 3 }

const anInvitation = (over: Partial<Invitation> = {}): Invitation => ({
  id: 'inv_1',
  email: 'eve@example.com',
  role: 'member',
  invitedBy: 'admin',
  createdAt: 0,
  sentAt: 0,
  expiresAt: 7 * dayMs,
  ...over,
})

const withInvitations = (...invitations: Invitation[]): People => ({ ...everyone, invitations })

/** Returns the reason of a refusal, or the members and invitations after a change. */
const outcome = (decision: PeopleDecision): string => {
  if (decision.kind === 'refused') return decision.reason
  if (decision.kind === 'unchanged') return 'unchanged'
  const { members, invitations } = decision.people
  const roles = members.map(({ user, role }) => (user.replace('2', '') === role ? user : `${user}=${role}`))
  return [...roles, ...invitations.map(({ id }) => id)].join(' ')
}

describe('first member of a workspace', () => {
  it('is its owner since it exists', () => {
    assert.deepEqual(firstMember('usr_1', { createdAt: 9 }), { user: 'usr_1', role: 'owner', joinedAt: 9 })
  })
})

describe('change of a role', () => {
  const rows: [actor: string, user: string, role: Role, expected: string][] = [
    ['owner', 'viewer', 'admin', 'owner owner2 admin admin2 member viewer=admin'],
    ['owner', 'member', 'owner', 'owner owner2 admin admin2 member=owner viewer'],
    ['owner', 'owner2', 'viewer', 'owner owner2=viewer admin admin2 member viewer'],
    ['owner', 'owner', 'member', 'owner=member owner2 admin admin2 member viewer'],
    ['admin', 'member', 'admin', 'owner owner2 admin admin2 member=admin viewer'],
    ['admin', 'admin2', 'viewer', 'owner owner2 admin admin2=viewer member viewer'],
    ['admin', 'admin', 'member', 'owner owner2 admin=member admin2 member viewer'],
    ['admin', 'admin', 'owner', 'above_own_role'],
    ['admin', 'viewer', 'owner', 'above_own_role'],
    ['admin', 'owner', 'viewer', 'above_own_role'],
    ['member', 'member', 'admin', 'needs_permission'],
    ['member', 'viewer', 'member', 'needs_permission'],
    ['viewer', 'viewer', 'owner', 'needs_permission'],
    ['stranger', 'viewer', 'member', 'needs_permission'],
    ['stranger', 'stranger', 'owner', 'needs_permission'],
    ['owner', 'stranger', 'viewer', 'no_such_member'],
    ['admin', 'member', 'member', 'unchanged'],
  ]
  for (const [actor, user, role, expected] of rows)
    it(`returns ${expected} when ${actor} makes ${user} ${role}`, () =>
      assert.equal(outcome(changeRole(everyone, { actor, user, role })), expected))

  it('does not change the role of the last owner', () => {
    const people = workspace('owner', 'admin')
    assert.equal(outcome(changeRole(people, { actor: 'owner', user: 'owner', role: 'admin' })), 'last_owner')
    assert.equal(outcome(changeRole(people, { actor: 'owner', user: 'owner', role: 'owner' })), 'unchanged')
  })
})

describe('removal of a member', () => {
  const rows: [actor: string, user: string, expected: string][] = [
    ['owner', 'owner2', 'owner admin admin2 member viewer'],
    ['owner', 'owner', 'owner2 admin admin2 member viewer'],
    ['admin', 'viewer', 'owner owner2 admin admin2 member'],
    ['admin', 'admin2', 'owner owner2 admin member viewer'],
    ['admin', 'owner', 'above_own_role'],
    ['member', 'viewer', 'needs_permission'],
    ['member', 'member', 'owner owner2 admin admin2 viewer'],
    ['viewer', 'viewer', 'owner owner2 admin admin2 member'],
    ['stranger', 'viewer', 'needs_permission'],
    ['stranger', 'stranger', 'no_such_member'],
    ['member', 'stranger', 'needs_permission'],
    ['admin', 'stranger', 'no_such_member'],
  ]
  for (const [actor, user, expected] of rows)
    it(`${user} by ${actor}: ${expected}`, () =>
      assert.equal(outcome(removeMember(everyone, { actor, user })), expected))

  it('does not let the last owner leave', () => {
    for (const people of [workspace('owner'), workspace('owner', 'admin', 'member')])
      assert.equal(outcome(removeMember(people, { actor: 'owner', user: 'owner' })), 'last_owner')
  })
})

describe('transfer of the ownership', () => {
  const rows: [actor: string, user: string, expected: string][] = [
    ['owner', 'viewer', 'owner=admin owner2 admin admin2 member viewer=owner'],
    ['owner', 'owner2', 'owner=admin owner2 admin admin2 member viewer'],
    ['owner', 'owner', 'own_ownership'],
    ['owner', 'stranger', 'no_such_member'],
    ['admin', 'admin', 'needs_permission'],
    ['admin', 'member', 'needs_permission'],
    ['stranger', 'member', 'needs_permission'],
  ]
  for (const [actor, user, expected] of rows)
    it(`returns ${expected} when ${actor} selects ${user}`, () =>
      assert.equal(outcome(transferOwnership(everyone, { actor, user })), expected))

  it('the only owner can transfer the ownership', () => {
    const decision = transferOwnership(workspace('owner', 'member'), { actor: 'owner', user: 'member' })
    assert.equal(outcome(decision), 'owner=admin member=owner')
  })
})

describe('invitation', () => {
  const inviteBy = (invitedBy: string, role: Role, people = everyone, user: string | null = null) =>
    outcome(invite(people, { invitation: anInvitation({ id: 'inv_new', invitedBy, role }), user, limits }))

  const all = 'owner owner2 admin admin2 member viewer'
  const rows: [actor: string, role: Role, expected: string][] = [
    ['owner', 'owner', `${all} inv_new`],
    ['admin', 'admin', `${all} inv_new`],
    ['admin', 'viewer', `${all} inv_new`],
    ['admin', 'owner', 'above_own_role'],
    ['member', 'viewer', 'needs_permission'],
    ['viewer', 'viewer', 'needs_permission'],
    ['stranger', 'viewer', 'needs_permission'],
  ]
  for (const [actor, role, expected] of rows)
    it(`returns ${expected} when ${actor} invites a ${role}`, () => assert.equal(inviteBy(actor, role), expected))

  it('is refused for a member and for an address that is invited', () => {
    assert.equal(inviteBy('admin', 'viewer', everyone, 'member'), 'is_member')
    assert.equal(inviteBy('admin', 'viewer', everyone, 'stranger'), `${all} inv_new`)
    assert.equal(inviteBy('admin', 'viewer', withInvitations(anInvitation())), 'is_invited')
  })

  it('replaces an expired one of the same address, and drops others 30 days after their end', () => {
    const people = withInvitations(
      anInvitation({ expiresAt: 0 }),
      anInvitation({ id: 'inv_old', email: 'old@example.com', expiresAt: -30 * dayMs }),
      anInvitation({ id: 'inv_expired', email: 'late@example.com', expiresAt: -29 * dayMs }),
    )
    assert.equal(inviteBy('admin', 'viewer', people), `${all} inv_expired inv_new`)
  })

  it('is refused past the limits', () => {
    const others = ['1', '2', '3'].map((n) => anInvitation({ id: n, email: `${n}@example.com` }))
    assert.equal(inviteBy('admin', 'viewer', withInvitations(...others)), 'too_many_invitations')
    assert.equal(inviteBy('admin', 'viewer', withInvitations(...others.slice(1))), 'too_many_members')
  })

  it('makes its reader a member once, until it ends', () => {
    const people = withInvitations(anInvitation())
    const accept = (now: number, from = people, sentAt = 0) =>
      outcome(acceptInvitation(from, { id: 'inv_1', sentAt, user: 'eve', now }))
    assert.equal(accept(7 * dayMs - 1), `${all} eve=member`)
    assert.equal(accept(7 * dayMs), 'no_such_invitation')
    assert.equal(accept(1, people, 5), 'no_such_invitation')
    const after = acceptInvitation(people, { id: 'inv_1', sentAt: 0, user: 'eve', now: 1 })
    assert.ok(after.kind === 'changed')
    assert.equal(accept(2, after.people), 'no_such_invitation')
    assert.equal(outcome(acceptInvitation(people, { id: 'inv_1', sentAt: 0, user: 'viewer', now: 1 })), 'is_member')
  })

  it('is revoked and sent again by admins, up to their own role', () => {
    const people = withInvitations(anInvitation(), anInvitation({ id: 'inv_2', role: 'owner', invitedBy: 'owner' }))
    assert.equal(outcome(revokeInvitation(people, { actor: 'admin2', id: 'inv_1' })), `${all} inv_2`)
    assert.equal(outcome(revokeInvitation(people, { actor: 'admin', id: 'inv_2' })), 'above_own_role')
    assert.equal(outcome(revokeInvitation(people, { actor: 'member', id: 'inv_1' })), 'needs_permission')
    assert.equal(outcome(revokeInvitation(people, { actor: 'member', id: 'inv_9' })), 'needs_permission')
    assert.equal(outcome(revokeInvitation(people, { actor: 'admin', id: 'inv_9' })), 'no_such_invitation')
    const again = { now: 9 * dayMs, lifeMs: 7 * dayMs }
    assert.equal(outcome(renewInvitation(people, { actor: 'admin', id: 'inv_2', ...again })), 'above_own_role')
    const renewed = renewInvitation(people, { actor: 'admin2', id: 'inv_1', ...again })
    assert.ok(renewed.kind === 'changed')
    const { invitedBy, sentAt, expiresAt, createdAt } = renewed.people.invitations[0] ?? anInvitation()
    assert.deepEqual([invitedBy, sentAt, expiresAt, createdAt], ['admin2', 9 * dayMs, 16 * dayMs, 0])
  })

  it('ends when the person who made it may not give its role any more', () => {
    const people = withInvitations(
      anInvitation(),
      anInvitation({ id: 'inv_2', email: 'b@example.com', role: 'admin' }),
      anInvitation({ id: 'inv_3', email: 'c@example.com', role: 'owner', invitedBy: 'owner' }),
    )
    const change = (user: string, role: Role) => outcome(changeRole(people, { actor: 'owner2', user, role }))
    assert.match(change('admin', 'member'), / inv_3$/)
    assert.doesNotMatch(change('admin', 'member'), /inv_[12]/)
    assert.match(change('owner', 'admin'), / inv_1 inv_2$/)
    assert.match(change('admin', 'owner'), / inv_1 inv_2 inv_3$/)
    assert.match(outcome(removeMember(people, { actor: 'admin', user: 'admin' })), /viewer inv_3$/)
    assert.match(outcome(transferOwnership(people, { actor: 'owner', user: 'member' })), /viewer inv_1 inv_2$/)
  })
})

describe('members who join and leave', () => {
  it('are those in only one of the two lists', () => {
    assert.deepEqual(joinedOrLeft(workspace('owner', 'admin'), workspace('owner', 'viewer')), ['admin', 'viewer'])
    assert.deepEqual(joinedOrLeft(everyone, everyone), [])
  })
})
