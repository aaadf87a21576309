import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { newId } from '@postrider/kit/ids.ts'
import { anEntry, entryIfChanged } from '@postrider/ports/auditFixtures.conformance.ts'
import { aColleague, dayMs, hourMs, testRig, tokenIn } from './testRig.ts'

type Rig = ReturnType<typeof testRig>
type Owner = Awaited<ReturnType<Rig['owner']>>

const invited = async (
  rig: Rig,
  { workspace, user }: Pick<Owner, 'workspace' | 'user'>,
  email: string,
  role = 'member',
) => {
  const invitation = await rig.service.Invite({ workspace, user, email, role })
  return { invitation, token: await tokenIn(rig) }
}

const nothing = { password: '', session_token: '', client_address: '203.0.113.9', code: '' }
const password = 'another good one'

const unusable = { code: 'validation_failed', message: /^token: This link is unknown, used, replaced, revoked/ }

describe('invitation', () => {
  it('is mailed with a link to the public address, and makes a new user a member who is logged in', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const { invitation, token } = await invited(rig, owner, 'Bob@Example.com', 'admin')
    assert.deepEqual([invitation.email, invitation.role, invitation.expired], ['bob@example.com', 'admin', false])
    assert.equal(invitation.expires_at, rig.now() + 7 * dayMs)
    const mail = rig.mails.sent.at(-1)
    assert.deepEqual([mail?.to, mail?.subject], ['bob@example.com', 'Invitation to Acme'])
    assert.match(mail?.text ?? '', /ada@example\.com invites you to the workspace “Acme” on Postrider as admin\./)
    assert.ok(mail?.text.includes(`https://post.example/account/invitation?token=${token}`))
    assert.match(mail?.text ?? '', /until \d{4}-\d\d-\d\d at \d\d:\d\d UTC, and only for bob@example\.com\./)
    const { caller, email, token: session } = await rig.service.AcceptInvitation({ ...nothing, token, password })
    assert.deepEqual([caller?.workspace, caller?.role, email], [owner.workspace, 'admin', 'bob@example.com'])
    assert.equal((await rig.service.AuthenticateSession({ token: session })).caller?.userId, caller?.userId)
    assert.deepEqual((await rig.service.ListInvitations({ workspace: owner.workspace })).invitations, [])
    await rig.service.LogIn({ email: 'bob@example.com', password, client_address: '' })
  })

  // A suspended workspace could still send mail with its name to any address, from the sender of the platform.
  it('is neither made nor sent again while its workspace is suspended, and is mailed after that', async () => {
    const rig = testRig()
    const { workspace, user } = await rig.owner()
    const { invitation } = await invited(rig, { workspace, user }, 'bob@example.com')
    const sent = rig.mails.sent.length
    await rig.service.SetWorkspaceControls({ workspace, suspended: true, reason: 'Spam.' })
    const refusal = { code: 'forbidden', message: 'Sending is suspended for this workspace: Spam.' }
    const again = { workspace, user, id: invitation.id, client_address: '' }
    await assert.rejects(rig.service.Invite({ workspace, user, email: 'eve@example.com', role: 'viewer' }), refusal)
    await assert.rejects(rig.service.ResendInvitation(again), refusal)
    assert.equal((await rig.service.ListInvitations({ workspace })).invitations.length, 1)
    assert.equal(rig.mails.sent.length, sent)
    await rig.service.SetWorkspaceControls({ workspace, suspended: false })
    await rig.service.ResendInvitation(again)
    assert.ok(await tokenIn(rig))
    assert.equal(rig.mails.sent.length, sent + 1)
  })

  it('is accepted by a user with an account: with the session, which moves, or with the password', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const bob = await rig.owner('bob@example.com')
    const first = await invited(rig, owner, 'bob@example.com')
    const request = { ...nothing, token: first.token, session_token: bob.token }
    const { caller, token } = await rig.service.AcceptInvitation(request)
    assert.deepEqual([caller?.workspace, caller?.userId, token], [owner.workspace, bob.user, bob.token])
    await rig.service.RemoveMember({ ...owner, member: bob.user })
    const second = await invited(rig, owner, 'bob@example.com')
    const byPassword = { ...nothing, token: second.token, password: rig.password }
    const opened = await rig.service.AcceptInvitation(byPassword)
    assert.deepEqual([opened.caller?.workspace, opened.caller?.userId], [owner.workspace, bob.user])
    assert.notEqual(opened.token, bob.token)
  })

  it('is accepted once by twenty requests at the same moment', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const { token } = await invited(rig, owner, 'bob@example.com')
    const responses = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        rig.service.AcceptInvitation({ ...nothing, token, password, client_address: `10.0.0.${randomBytes(1)[0]}` }),
      ),
    )
    assert.equal(responses.filter(({ status }) => status === 'fulfilled').length, 1)
    const { members } = await rig.service.ListMembers({ workspace: owner.workspace })
    assert.deepEqual(
      members.map(({ email }) => email),
      ['bob@example.com', 'ada@example.com'],
    )
  })

  describe('whose first response was lost', () => {
    const audited = ({ audit }: Rig) => audit.entries.filter(({ action }) => action === 'invitation.accept').length
    const lost = async (rig: Rig, owner: Owner, over: Partial<typeof nothing>) => {
      const { token } = await invited(rig, owner, 'bob@example.com')
      const request = { ...nothing, token, ...over }
      return { request, first: await rig.service.AcceptInvitation(request) }
    }

    it('returns a session of the same member for the repeated call', async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const { request, first } = await lost(rig, owner, { password })
      for (let n = 0; n < 2; n++) {
        const again = await rig.service.AcceptInvitation({ ...request, is_repeat: true })
        assert.deepEqual(again.caller, first.caller)
        assert.equal(
          (await rig.service.AuthenticateSession({ token: again.token })).caller?.userId,
          first.caller?.userId,
        )
      }
      assert.equal((await rig.service.ListMembers(owner)).members.length, 2)
      assert.equal(audited(rig), 1)
    })

    it('returns the session of the member as before, in each request', async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const bob = await rig.owner('bob@example.com')
      const { request, first } = await lost(rig, owner, { session_token: bob.token })
      const again = await rig.service.AcceptInvitation(request)
      assert.deepEqual([again.caller, again.token], [first.caller, first.token])
      assert.equal(audited(rig), 1)
    })

    type Repeat = (rig: Rig, owner: Owner, member: string) => Promise<Partial<typeof nothing> & { is_repeat?: boolean }>
    const refused: [name: string, repeat: Repeat, code: string][] = [
      ['with another password', async () => ({ password: 'not the right one', is_repeat: true }), 'unauthenticated'],
      ['without a proof', async () => ({ password: '', is_repeat: true }), 'validation_failed'],
      ['in another request', async () => ({ password }), 'validation_failed'],
      [
        'of another person',
        async (rig) => ({ session_token: (await rig.owner('eve@example.com')).token, is_repeat: true }),
        'validation_failed',
      ],
      [
        'after the member was removed',
        async (rig, owner, member) => {
          await rig.service.RemoveMember({ ...owner, member })
          return { password, is_repeat: true }
        },
        'validation_failed',
      ],
      [
        'after 7 days',
        async (rig) => {
          rig.advance(7 * dayMs)
          return { password, is_repeat: true }
        },
        'validation_failed',
      ],
    ]
    for (const [name, repeat, code] of refused)
      it(`refuses a repetition ${name}`, async () => {
        const rig = testRig()
        const owner = await rig.owner()
        const { request, first } = await lost(rig, owner, { password })
        const over = await repeat(rig, owner, first.caller?.userId ?? '')
        await assert.rejects(rig.service.AcceptInvitation({ ...request, ...over }), { code })
      })
  })

  it('shows its offer as often as its link is opened, and that changes nothing', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const { token } = await invited(rig, owner, 'bob@example.com', 'viewer')
    const entries = rig.audit.entries.length
    for (let n = 0; n < 3; n++) {
      const { workspace_name, inviter, role, email, has_account } = await rig.service.ReadInvitation({ token })
      assert.deepEqual(
        [workspace_name, inviter, role, email, has_account],
        ['Acme', 'ada@example.com', 'viewer', 'bob@example.com', false],
      )
    }
    assert.equal(rig.audit.entries.length, entries)
    await rig.service.AcceptInvitation({ ...nothing, token, password })
  })

  type Attack = (rig: Rig, owner: Owner, token: string) => Promise<{ token: string; session?: string; pass?: string }>
  const attacks: [name: string, attack: Attack, refused: { code: string; message: RegExp }][] = [
    ['guessed', async () => ({ token: randomBytes(32).toString('base64url') }), unusable],
    ['of another shape', async () => ({ token: 'x' }), unusable],
    ['empty', async () => ({ token: '' }), unusable],
    [
      'used before',
      async (rig, _owner, token) => {
        await rig.service.AcceptInvitation({ ...nothing, token, password })
        return { token }
      },
      unusable,
    ],
    [
      'used before by a member who was removed',
      async (rig, owner, token) => {
        const { caller } = await rig.service.AcceptInvitation({ ...nothing, token, password })
        await rig.service.RemoveMember({ ...owner, member: caller?.userId ?? '' })
        return { token }
      },
      unusable,
    ],
    [
      'expired',
      async (rig, _owner, token) => {
        rig.advance(7 * dayMs)
        return { token }
      },
      unusable,
    ],
    [
      'revoked',
      async (rig, owner, token) => {
        const { invitations } = await rig.service.ListInvitations(owner)
        await rig.service.RevokeInvitation({ ...owner, id: invitations[0]?.id ?? '' })
        return { token }
      },
      unusable,
    ],
    [
      'replaced by a newer mail',
      async (rig, owner, token) => {
        rig.advance(hourMs)
        const { invitations } = await rig.service.ListInvitations(owner)
        await rig.service.ResendInvitation({ ...owner, id: invitations[0]?.id ?? '' })
        return { token }
      },
      unusable,
    ],
    [
      'of another purpose',
      async (rig) => {
        const token = randomBytes(32).toString('base64url')
        await rig.insertLink({ token, purpose: 'reset_password', subject: 'usr_1' })
        return { token }
      },
      unusable,
    ],
    [
      'used with the session of another person',
      async (_rig, owner, token) => ({ token, session: owner.token }),
      { code: 'forbidden', message: /logged in with another address/ },
    ],
    [
      'used with the session and the password of another person',
      async (rig, owner, token) => ({ token, session: owner.token, pass: rig.password }),
      { code: 'forbidden', message: /logged in with another address/ },
    ],
    [
      'used with the password of another account',
      async (rig, _owner, token) => {
        await rig.service.SignUp({ email: 'bob@example.com', password: 'bob has this one', ...signUpFields })
        return { token, pass: rig.password }
      },
      { code: 'unauthenticated', message: /password is wrong/ },
    ],
    [
      'used without a password',
      async (_rig, _owner, token) => ({ token, pass: '' }),
      { code: 'validation_failed', message: /^password: Choose the password/ },
    ],
    [
      'used with a short password',
      async (_rig, _owner, token) => ({ token, pass: 'short' }),
      { code: 'validation_failed', message: /^password: .*8 characters/ },
    ],
  ]
  const signUpFields = { workspace_name: 'w', client_address: '' }

  for (const [name, attack, refused] of attacks)
    it(`has a link that is refused when it is ${name}`, async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const { token: real } = await invited(rig, owner, 'bob@example.com')
      const { token, session = '', pass = password } = await attack(rig, owner, real)
      const before = await rig.service.ListMembers(owner)
      const request = { ...nothing, token, session_token: session, password: pass }
      await assert.rejects(rig.service.AcceptInvitation(request), refused)
      assert.deepEqual(await rig.service.ListMembers(owner), before)
    })

  // Regression: the response was a 500 with the detail "A message has no workspace."
  it('has a link that is refused if the workspace is deleted while it is accepted', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const { token } = await invited(rig, owner, 'bob@example.com')
    rig.store.workspace = async () => null
    await assert.rejects(rig.service.AcceptInvitation({ ...nothing, token, password }), unusable)
  })

  it('cannot be accepted by the user of another invitation', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const bob = await rig.owner('bob@example.com')
    const eve = await rig.owner('eve@example.com')
    const ofBob = await invited(rig, owner, 'bob@example.com', 'admin')
    const ofEve = await invited(rig, owner, 'eve@example.com', 'viewer')
    for (const [token, session_token] of [
      [ofBob.token, eve.token],
      [ofEve.token, bob.token],
    ] as const)
      await assert.rejects(rig.service.AcceptInvitation({ ...nothing, token, session_token }), { code: 'forbidden' })
    await rig.service.AcceptInvitation({ ...nothing, token: ofEve.token, session_token: eve.token })
    assert.equal(await rig.store.role(owner.workspace, eve.user), 'viewer')
  })

  const leaving: [name: string, act: (rig: Rig, owner: Owner, inviter: string) => Promise<unknown>][] = [
    ['is removed', (rig, owner, member) => rig.service.RemoveMember({ ...owner, member })],
    ['leaves', (rig, owner, member) => rig.service.RemoveMember({ workspace: owner.workspace, user: member, member })],
    ['becomes a member', (rig, owner, member) => rig.service.ChangeMember({ ...owner, member, role: 'member' })],
  ]
  for (const [name, act] of leaving)
    it(`ends when the admin who made it ${name}`, async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const admin = await aColleague(rig, owner, 'admin', 'admin@example.com')
      const { token } = await invited(rig, admin, 'back.door@example.com', 'admin')
      await act(rig, owner, admin.user)
      await assert.rejects(rig.service.AcceptInvitation({ ...nothing, token, password }), unusable)
      assert.deepEqual((await rig.service.ListInvitations(owner)).invitations, [])
      assert.equal(rig.audit.entries.at(-1)?.after?.['revoked_invitations'], 1)
    })

  const above: [by: Role, role: string, code: string][] = [
    ['admin', 'owner', 'forbidden'],
    ['member', 'viewer', 'forbidden'],
    ['viewer', 'viewer', 'forbidden'],
    ['owner', 'root', 'validation_failed'],
  ]
  for (const [by, role, code] of above)
    it(`is refused for a ${role} by a ${by}, and nothing is mailed`, async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const actor = by === 'owner' ? owner : await aColleague(rig, owner, by, 'actor@example.com')
      const sent = rig.mails.sent.length
      const request = { workspace: owner.workspace, user: actor.user, email: 'bob@example.com', role }
      await assert.rejects(rig.service.Invite(request), { code })
      await rig.mails.idle()
      assert.equal(rig.mails.sent.length, sent)
    })

  it('is a conflict for a member and for an address that is invited', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    await assert.rejects(invited(rig, owner, 'ADA@example.com'), { code: 'conflict' })
    await invited(rig, owner, 'bob@example.com')
    await assert.rejects(invited(rig, owner, 'bob@example.com', 'admin'), { code: 'conflict', message: /resend/ })
    rig.advance(7 * dayMs)
    assert.equal((await rig.service.ListInvitations(owner)).invitations[0]?.expired, true)
    const { token } = await invited(rig, owner, 'bob@example.com', 'viewer')
    const { caller } = await rig.service.AcceptInvitation({ ...nothing, token, password })
    assert.equal(caller?.role, 'viewer')
  })

  it('is sent again with a new link for 7 more days, even after its end', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const { invitation } = await invited(rig, owner, 'bob@example.com')
    rig.advance(8 * dayMs)
    const renewed = await rig.service.ResendInvitation({ ...owner, id: invitation.id })
    assert.deepEqual([renewed.id, renewed.created_at, renewed.expired], [invitation.id, invitation.created_at, false])
    assert.equal(renewed.expires_at, rig.now() + 7 * dayMs)
    await rig.service.AcceptInvitation({ ...nothing, token: await tokenIn(rig), password })
  })

  it('is not found from another workspace, with the text for an unknown id', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const { invitation } = await invited(rig, await rig.owner('eve@example.com'), 'bob@example.com')
    const refused = { code: 'not_found', message: 'This workspace has no such invitation.' }
    for (const id of [invitation.id, newId('inv'), '']) {
      await assert.rejects(rig.service.RevokeInvitation({ ...owner, id }), refused)
      await assert.rejects(rig.service.ResendInvitation({ ...owner, id }), refused)
    }
  })

  it('is limited in number, and its emails in time', async () => {
    const rig = testRig({ limits: { people: { members: 10, invitations: 2 } } })
    const owner = await rig.owner()
    const { invitation } = await invited(rig, owner, '1@example.com')
    await invited(rig, owner, '2@example.com')
    await assert.rejects(invited(rig, owner, '3@example.com'), { code: 'conflict', message: /at most 2/ })
    const resend = () => rig.service.ResendInvitation({ ...owner, id: invitation.id })
    for (let n = 0; n < 9; n++) await resend()
    await assert.rejects(resend(), { code: 'rate_limited', message: /to this address/ })
    rig.advance(3 * hourMs)
    await resend()
  })

  it('cannot send mail without end from one workspace', async () => {
    const rig = testRig({ limits: { people: { members: 500, invitations: 100 } } })
    const owner = await rig.owner()
    for (let n = 0; n < 50; n++) await rig.service.Invite({ ...owner, email: `${n}@example.com`, role: 'viewer' })
    const more = rig.service.Invite({ ...owner, email: 'more@example.com', role: 'viewer' })
    await assert.rejects(more, { code: 'rate_limited', message: /from this workspace/ })
  })

  it('shows a workspace name that reads as an address to no one', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    await rig.store.changeWorkspace(owner.workspace, { name: 'evil.example/login' }, entryIfChanged)
    await invited(rig, owner, 'bob@example.com')
    const mail = rig.mails.sent.at(-1)
    assert.ok(!JSON.stringify(mail).includes('evil'))
    assert.equal(mail?.subject, 'Invitation to a workspace')
  })

  it('does not put markup of a workspace name into the mail', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    await rig.store.changeWorkspace(owner.workspace, { name: '<b onclick="x">A&B' }, entryIfChanged)
    await invited(rig, owner, 'bob@example.com')
    assert.match(rig.mails.sent.at(-1)?.html ?? '', /&lt;b onclick=&quot;x&quot;&gt;A&amp;B/)
  })

  const signups: ['open' | 'invite' | 'off', isAccepted: boolean][] = [
    ['open', true],
    ['invite', true],
    ['off', false],
  ]
  for (const [signup, isAccepted] of signups)
    it(`${isAccepted ? 'makes a new user' : 'makes no new user, but a member of an existing one,'} while POSTRIDER_SIGNUP is ${signup}`, async () => {
      const rig = testRig({ signup })
      const first = await rig.ensureFirstWorkspace()
      const owner = await rig.logIn(first?.ownerEmail ?? '', first?.password ?? '')
      const { token } = await invited(rig, owner, 'bob@example.com')
      const accept = rig.service.AcceptInvitation({ ...nothing, token, password })
      if (isAccepted) assert.equal((await accept).caller?.workspace, owner.workspace)
      else await assert.rejects(accept, { code: 'forbidden', message: /Sign-up is closed/ })
      if (isAccepted) return
      const user = newUser({
        id: newId('usr'),
        email: 'bob@example.com',
        passwordHash: `plain:${password}`,
        createdAt: 0,
      })
      await rig.store.insertUser(user, anEntry())
      const { caller } = await rig.service.AcceptInvitation({ ...nothing, token, password })
      assert.equal(caller?.userId, user.id)
    })
})
