import assert from 'node:assert/strict'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { newId } from '@postrider/kit/ids.ts'
import { aColleague, testRig } from './testRig.ts'

describe('member', () => {
  it('is listed with role, time of joining and last use, the newest first', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    rig.advance(60_000)
    const bob = await aColleague(rig, owner, 'member', 'bob@example.com')
    const { members } = await rig.service.ListMembers({ workspace: owner.workspace })
    const at = rig.now()
    const before = rig.now() - 60_000
    const without = { totp_enabled: false }
    assert.deepEqual(members, [
      { user: bob.user, email: 'bob@example.com', role: 'member', joined_at: at, last_seen_at: at, ...without },
      {
        user: owner.user,
        email: 'ada@example.com',
        role: 'owner',
        joined_at: before,
        last_seen_at: before,
        ...without,
      },
    ])
  })

  it('has a new role from the next request on', async () => {
    const rig = testRig()
    const { workspace, user } = await rig.owner()
    const bob = await aColleague(rig, { workspace, user }, 'viewer', 'bob@example.com')
    const rights = async () => {
      const { caller } = await rig.service.AuthenticateSession({ token: bob.token })
      return [caller?.role, caller?.scopes.includes('domains:write')]
    }
    assert.deepEqual(await rights(), ['viewer', false])
    const changed = await rig.service.ChangeMember({ workspace, user, member: bob.user, role: 'admin' })
    assert.deepEqual([changed.user, changed.role], [bob.user, 'admin'])
    assert.deepEqual(await rights(), ['admin', true])
    await assert.rejects(rig.service.ChangeMember({ workspace, user, member: bob.user, role: 'root' }), {
      code: 'validation_failed',
    })
  })

  it('cannot use a session of the workspace after the removal, and logs in to another workspace', async () => {
    const rig = testRig()
    const { workspace, user } = await rig.owner()
    const bob = await aColleague(rig, { workspace, user }, 'member', 'bob@example.com')
    const own = await rig.service.CreateWorkspace({ user: bob.user, name: 'Own', client_address: '' })
    await rig.service.RemoveMember({ workspace, user, member: bob.user })
    await assert.rejects(rig.service.AuthenticateSession({ token: bob.token }), { code: 'unauthenticated' })
    const { caller } = await rig.service.LogIn({ email: 'bob@example.com', password: bob.password, client_address: '' })
    assert.deepEqual([caller?.workspace, caller?.role], [own.id, 'owner'])
  })

  // A person who left the only workspace could neither log in nor sign up.
  it('gets a refusal at the login while in no workspace, and signs up again with the same password', async () => {
    const rig = testRig()
    const { workspace } = await rig.owner()
    const bob = await aColleague(rig, await rig.owner('owner2@example.com'), 'member', 'bob@example.com')
    assert.notEqual(bob.workspace, workspace)
    await rig.service.RemoveMember({ workspace: bob.workspace, user: bob.user, member: bob.user })
    const credentials = { email: 'bob@example.com', password: bob.password, client_address: '' }
    await assert.rejects(rig.service.LogIn(credentials), { code: 'forbidden', message: /not a member/ })
    const again = { ...credentials, workspace_name: 'Bob' }
    await assert.rejects(rig.service.SignUp({ ...again, password: 'another password' }), { code: 'conflict' })
    const { caller } = await rig.service.SignUp(again)
    assert.deepEqual([caller?.userId, caller?.role], [bob.user, 'owner'])
    assert.equal((await rig.service.LogIn(credentials)).caller?.workspace, caller?.workspace)
    await assert.rejects(rig.service.SignUp(again), { code: 'conflict' })
  })

  const escalations: [role: Role, member: 'self' | 'owner' | 'viewer', to: Role, code: string][] = [
    ['admin', 'self', 'owner', 'forbidden'],
    ['admin', 'viewer', 'owner', 'forbidden'],
    ['admin', 'owner', 'viewer', 'forbidden'],
    ['member', 'self', 'admin', 'forbidden'],
    ['member', 'viewer', 'member', 'forbidden'],
    ['viewer', 'self', 'owner', 'forbidden'],
  ]
  for (const [role, member, to, code] of escalations)
    it(`${role} cannot give ${member === 'self' ? 'themselves' : `the ${member}`} the role ${to}`, async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const actor = await aColleague(rig, owner, role, 'actor@example.com')
      const viewer = await aColleague(rig, owner, 'viewer', 'viewer@example.com')
      const ids = { self: actor.user, owner: owner.user, viewer: viewer.user }
      const before = await rig.service.ListMembers({ workspace: owner.workspace })
      const request = { workspace: owner.workspace, user: actor.user, member: ids[member] }
      await assert.rejects(rig.service.ChangeMember({ ...request, role: to }), { code })
      await assert.rejects(rig.service.TransferOwnership({ ...request, member: actor.user }), { code: 'forbidden' })
      assert.deepEqual(await rig.service.ListMembers({ workspace: owner.workspace }), before)
    })

  it('is not found from another workspace, with the text for an unknown user', async () => {
    const rig = testRig()
    const { workspace, user } = await rig.owner()
    const stranger = await rig.owner('eve@example.com')
    for (const member of [stranger.user, newId('usr'), '']) {
      const refused = { code: 'not_found', message: 'This workspace has no such member.' }
      await assert.rejects(rig.service.ChangeMember({ workspace, user, member, role: 'viewer' }), refused)
      await assert.rejects(rig.service.RemoveMember({ workspace, user, member }), refused)
      await assert.rejects(rig.service.TransferOwnership({ workspace, user, member }), refused)
    }
    const left = { user, member: user }
    for (const other of [stranger.workspace, newId('ws')])
      await assert.rejects(rig.service.RemoveMember({ workspace: other, ...left }), {
        code: 'not_found',
        message: 'There is no such workspace.',
      })
  })

  it('can leave as the last owner after a transfer of the workspace', async () => {
    const rig = testRig()
    const { workspace, user } = await rig.owner()
    const bob = await aColleague(rig, { workspace, user }, 'viewer', 'bob@example.com')
    const lastOwner = { code: 'conflict', message: /last owner/ }
    await assert.rejects(rig.service.RemoveMember({ workspace, user, member: user }), lastOwner)
    await assert.rejects(rig.service.ChangeMember({ workspace, user, member: user, role: 'admin' }), lastOwner)
    const { role } = await rig.service.TransferOwnership({ workspace, user, member: bob.user })
    assert.equal(role, 'owner')
    assert.equal(await rig.store.role(workspace, user), 'admin')
    await rig.service.RemoveMember({ workspace, user, member: user })
    assert.equal(await rig.store.role(workspace, user), null)
  })

  it('leaves the workspace with one owner when two owners demote each other at the same moment', async () => {
    const rig = testRig()
    const { workspace, user } = await rig.owner()
    const bob = await aColleague(rig, { workspace, user }, 'owner', 'bob@example.com')
    const responses = await Promise.allSettled([
      rig.service.ChangeMember({ workspace, user, member: bob.user, role: 'viewer' }),
      rig.service.ChangeMember({ workspace, user: bob.user, member: user, role: 'viewer' }),
    ])
    const codes = responses.map((response) => (response.status === 'fulfilled' ? 'ok' : response.reason.code))
    assert.deepEqual(codes.toSorted(), ['forbidden', 'ok'])
    const roles = (await rig.service.ListMembers({ workspace })).members.map(({ role }) => role)
    assert.deepEqual(roles.toSorted(), ['owner', 'viewer'])
  })

  it('has each change in the audit log, with the former role', async () => {
    const rig = testRig()
    const { workspace, user } = await rig.owner()
    const bob = await aColleague(rig, { workspace, user }, 'member', 'bob@example.com')
    await rig.service.ChangeMember({ workspace, user, member: bob.user, role: 'admin' })
    await rig.service.ChangeMember({ workspace, user, member: bob.user, role: 'admin' })
    await rig.service.RemoveMember({ workspace, user, member: bob.user })
    const entries = rig.audit.entries.filter(({ action }) => action.startsWith('member.'))
    assert.deepEqual(
      entries.map(({ actor, action, target, before, after }) => [actor, action, target, before, after]),
      [
        [user, 'member.update', bob.user, { role: 'member' }, { role: 'admin' }],
        [user, 'member.remove', bob.user, { role: 'admin' }, null],
      ],
    )
  })
})

describe('workspaces of a user', () => {
  it('are listed, and a session moves between them with a new token for changes', async () => {
    const rig = testRig()
    const { workspace, user, token, csrf_token } = await rig.owner()
    const other = await rig.service.CreateWorkspace({ user, name: ' Labs ', client_address: '' })
    assert.deepEqual([other.name, other.plan, other.role], ['Labs', 'free', 'owner'])
    const second = await rig.service.LogIn({ email: 'ada@example.com', password: rig.password, client_address: '' })
    const moved = await rig.service.SwitchWorkspace({ token, workspace: other.id, client_address: '' })
    assert.deepEqual([moved.token, moved.caller?.workspace], [token, other.id])
    assert.notEqual(moved.csrf_token, csrf_token)
    const session = await rig.service.AuthenticateSession({ token })
    assert.deepEqual([session.caller?.workspace, session.csrf_token], [other.id, moved.csrf_token])
    const otherSession = await rig.service.AuthenticateSession({ token: second.token })
    assert.deepEqual([otherSession.caller?.workspace, otherSession.csrf_token], [workspace, second.csrf_token])
    const back = await rig.service.SwitchWorkspace({ token, workspace, client_address: '' })
    assert.ok(![csrf_token, moved.csrf_token].includes(back.csrf_token))
    const { workspaces } = await rig.service.ListOwnWorkspaces({ user })
    assert.deepEqual(
      workspaces.map(({ id, role }) => [id, role]),
      [
        [workspace, 'owner'],
        [other.id, 'owner'],
      ],
    )
  })

  it('do not include those of other users: a session cannot move there', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const stranger = await rig.owner('eve@example.com')
    for (const workspace of [stranger.workspace, newId('ws'), ''])
      await assert.rejects(rig.service.SwitchWorkspace({ token, workspace, client_address: '' }), {
        code: 'not_found',
        message: 'You are not a member of a workspace with this id.',
      })
    await assert.rejects(rig.service.SwitchWorkspace({ token: 'x', workspace: '', client_address: '' }), {
      code: 'unauthenticated',
    })
  })

  for (const signup of ['invite', 'off'] as const)
    it(`are not created while POSTRIDER_SIGNUP is ${signup}`, async () => {
      const rig = testRig({ signup })
      await rig.ensureFirstWorkspace()
      const [first] = await rig.store.listWorkspaces(null, 1)
      const [owner] = (await rig.store.people(first?.id ?? ''))?.members ?? []
      const request = { user: owner?.user ?? '', name: 'More', client_address: '' }
      await assert.rejects(rig.service.CreateWorkspace(request), { code: 'forbidden' })
    })

  // The owner of a suspended workspace sent on from another one.
  it('are not created by an owner whose workspace the operator stopped', async () => {
    const rig = testRig({})
    const { user, workspace } = await rig.owner()
    const create = () => rig.service.CreateWorkspace({ user, name: 'More', client_address: '' })
    await rig.service.SetWorkspaceControls({ workspace, suspended: true, reason: 'Spam.' })
    await assert.rejects(create(), { code: 'forbidden', message: /your workspace "[^"]+" is suspended: Spam\.$/ })
    await rig.service.DeleteWorkspace({ workspace })
    await assert.rejects(create(), { code: 'forbidden' })
    await rig.service.RestoreWorkspace({ workspace })
    await rig.service.SetWorkspaceControls({ workspace, suspended: false })
    await rig.service.DeleteWorkspace({ workspace })
    assert.equal((await create()).name, 'More')
  })

  it('are limited in number, and in time as sign-ups are', async () => {
    const rig = testRig({ limits: { workspacesOfUser: 2 } })
    const { user } = await rig.owner()
    const create = () => rig.service.CreateWorkspace({ user, name: 'More', client_address: '198.51.100.1' })
    await create()
    await assert.rejects(create(), { code: 'conflict', message: /at most 2/ })
    for (let n = 0; n < 8; n++) await assert.rejects(create(), { code: 'conflict' })
    await assert.rejects(create(), { code: 'rate_limited' })
  })

  it('have the default plan in the ledger before they exist', async () => {
    const rig = testRig({ defaultPlan: 'pro' })
    const { user, workspace } = await rig.owner()
    const { id, plan } = await rig.service.CreateWorkspace({ user, name: 'More', client_address: '' })
    assert.equal(plan, 'pro')
    assert.deepEqual(rig.plans, [
      [workspace, { plan: 'pro', since: rig.now() }],
      [id, { plan: 'pro', since: rig.now() }],
    ])
  })
})
