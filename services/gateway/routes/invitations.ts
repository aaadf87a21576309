import { SessionRecord } from '@postrider/contracts/http/account.ts'
import { AcceptInvitation, InvitationList, InvitationRecord, Invite } from '@postrider/contracts/http/members.ts'
import { Id, Page, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { Invitation } from '@postrider/contracts/services.ts'
import { linkLifeMs } from '@postrider/domain/accounts/links.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { durationText, isoTime } from '@postrider/domain/time.ts'
import { newSession } from '../callers/session.ts'
import { listPage } from '../lists.ts'
import { guestRoute, sessionRoute } from '../route.ts'

const path = '/api/v1/members/invitations'

const invitationRecord = ({ expired, ...invitation }: Invitation) =>
  ({
    object: 'invitation',
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    status: expired ? 'expired' : 'pending',
    invited_by: invitation.invited_by,
    created_at: isoTime(invitation.created_at),
    sent_at: isoTime(invitation.sent_at),
    expires_at: isoTime(invitation.expires_at),
  }) satisfies RecordOf<typeof InvitationRecord>

export const createInvitation = sessionRoute({
  name: 'createInvitation',
  method: 'POST',
  path,
  session: 'members:write',
  tag: 'Members',
  summary: 'Invite a person by mail',
  description: `The link in the mail works once, for ${durationText(linkLifeMs.invitation)}, and only for the invited address. The response does not show whether the address has an account. An invitation ends when the person who sent it may not give its role any more. A workspace may send 50 such emails a day, and 10 a day go to one address.`,
  limit: 'write',
  body: Invite,
  reply: { status: 201, body: InvitationRecord, description: 'The invitation; the mail is sent in the background.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ body, caller: { workspace, userId: user }, clientAddress: client_address }, { accounts }) => ({
    json: invitationRecord(await accounts.Invite({ workspace, user, ...body, client_address })),
  }),
})

export const listInvitations = sessionRoute({
  name: 'listInvitations',
  method: 'GET',
  path,
  session: 'members:read',
  tag: 'Members',
  summary: 'List open invitations',
  description: 'An expired invitation is listed for 30 days, so that it can be sent again.',
  limit: 'read',
  query: Page,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: InvitationList, description: 'A page of invitations, the newest first.' },
  handle: async ({ query, caller: { workspace } }, { accounts, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, workspace, query)
    // The accounts service returns all of them, the newest first. Ids sort by creation time.
    const { invitations } = await accounts.ListInvitations({ workspace })
    const older = before === '' ? invitations : invitations.filter(({ id }) => id < before)
    return { json: body(older.slice(0, limit).map(invitationRecord), older.length > limit) }
  },
})

export const revokeInvitation = sessionRoute({
  name: 'revokeInvitation',
  method: 'DELETE',
  path: `${path}/:id`,
  session: 'members:write',
  tag: 'Members',
  summary: 'Revoke an invitation',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The link of the invitation can no longer be used.' },
  handle: async (
    { params: { id }, caller: { workspace, userId: user }, clientAddress: client_address },
    { accounts },
  ) => {
    await accounts.RevokeInvitation({ workspace, user, id, client_address })
    return { empty: true }
  },
})

export const resendInvitation = sessionRoute({
  name: 'resendInvitation',
  method: 'POST',
  path: `${path}/:id/resend`,
  session: 'members:write',
  tag: 'Members',
  summary: 'Send an invitation again',
  description: `The mail has a new link, which works for ${durationText(linkLifeMs.invitation)}; the former link ends. An expired invitation is renewed.`,
  limit: 'write',
  params: Id,
  reply: { status: 200, body: InvitationRecord, description: 'The renewed invitation.' },
  handle: async (
    { params: { id }, caller: { workspace, userId: user }, clientAddress: client_address },
    { accounts },
  ) => ({
    json: invitationRecord(await accounts.ResendInvitation({ workspace, user, id, client_address })),
  }),
})

export const acceptInvitation = guestRoute({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/api/v1/auth/invitations/accept',
  open: true,
  mayHaveSession: true,
  tag: 'Members',
  summary: 'Accept an invitation',
  description:
    'A person without an account chooses a `password`; their address counts as confirmed. A person with an account is logged in as the invited address (then the session moves to the workspace, and needs `X-CSRF-Token`) or sends their `password`, and with two-factor authentication a `code`; the address is confirmed by it. A session of another address is refused. A link that was used, replaced, revoked or is too old is refused with `invalid_link`.',
  limit: null,
  body: AcceptInvitation,
  reply: { status: 200, body: SessionRecord, description: 'A session in the workspace; its cookie is set.' },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['unauthenticated', 'forbidden', 'conflict', 'rate_limited', 'csrf'],
  handle: async ({ body: { token, password = '', code = '' }, session, clientAddress, userAgent, secure }, deps) => {
    const session_token = session?.token ?? ''
    const reply = await deps.accounts.AcceptInvitation({
      token,
      password,
      session_token,
      client_address: clientAddress,
      user_agent: userAgent,
      code,
    })
    return newSession(deps, reply, secure)
  },
})
