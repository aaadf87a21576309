import type { InvitationRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/InvitationRequest.ts'
import type { InviteRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/InviteRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import type { Invitation as ShownInvitation } from '@postrider/contracts/services.ts'
import { linkLifeMs, linkSubject, newLink } from '@postrider/domain/accounts/links.ts'
import { accountPseudonym } from '@postrider/domain/accounts/logInLimits.ts'
import {
  type Invitation,
  invite as invited,
  isPending,
  type People,
  renewInvitation,
  revokeInvitation as revoked,
} from '@postrider/domain/accounts/people.ts'
import { normalizeEmail } from '@postrider/domain/accounts/textRules.ts'
import { suspensionText } from '@postrider/domain/accounts/workspaceRules.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { type Deps, requirePermission } from './deps.ts'
import { invitationMail } from './invitationMail.ts'
import { checkedRole } from './members.ts'
import { changePeople, checkChange, readPeople } from './people.ts'
import { bucketOf, takeOrRefuse } from './rateLimits.ts'

/* Invitations of a workspace: made, listed, revoked, sent again. acceptInvitation.ts ends them. */

const recordOf = (invitation: Invitation, now: number): ShownInvitation => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_at: invitation.createdAt,
  sent_at: invitation.sentAt,
  expires_at: invitation.expiresAt,
  expired: !isPending(invitation, now),
})

/**
 * Returns the fields of an invitation that an audit entry shows: the address as a pseudonym, because entries outlive
 * accounts.
 */
export const invitationState = ({ email, role }: Pick<Invitation, 'email' | 'role'>) => ({
  role,
  account: accountPseudonym(email),
})

/**
 * A suspended workspace sends nothing: its name and its invitations would reach every address.
 * @throws Fault `forbidden`
 */
const refuseSuspended = async ({ accounts }: Deps, workspace: string): Promise<void> => {
  const home = await accounts.workspace(workspace)
  if (!home?.suspended) return
  const { suspendedReason, deletesAt } = home
  throw new Fault('forbidden', suspensionText({ reason: suspendedReason || null, deletesAt }))
}

/** Counts an email. @throws Fault `forbidden`, `rate_limited` */
const countInvitationMail = async (deps: Deps, workspace: string, email: string): Promise<void> => {
  await refuseSuspended(deps, workspace)
  const { mails, mailsOfAddress } = deps.limits.invitations
  const ofWorkspace = bucketOf(`${workspace}/invitations`, mails)
  await takeOrRefuse(deps, [ofWorkspace], 'Too many invitations from this workspace')
  const ofAddress = bucketOf(`${accountPseudonym(email)}/invitations`, mailsOfAddress)
  await takeOrRefuse(deps, [ofAddress], 'Too many invitations to this address')
}

/** Makes a new link, ends the former ones, and emails it. */
const mailLink = async (deps: Deps, workspace: string, invitation: Invitation): Promise<void> => {
  const { accounts, links, mails, publicUrl, random } = deps
  const subject = linkSubject(workspace, invitation.id)
  const { id: _id, email: address, sentAt: at, role, invitedBy } = invitation
  const { token, link } = newLink({ purpose: 'invitation', subject, address, at, random })
  await links.deleteLinks('invitation', subject)
  await links.insertLink(link)
  mails.post(async () => {
    const [home, [inviter]] = await Promise.all([accounts.workspace(workspace), accounts.users([invitedBy])])
    if (home === null || home.suspended || inviter === undefined) return []
    const mail = { publicUrl: publicUrl(), link, token, workspaceName: home.name, inviter: inviter.email, role }
    return [invitationMail(mail)]
  })
}

/** Returns an invitation of a workspace. @throws Fault `not_found` */
const existing = (people: People, id: string): Invitation => {
  const found = people.invitations.find((invitation) => invitation.id === id)
  if (found === undefined) throw new Fault('not_found', 'This workspace has no such invitation.')
  return found
}

/**
 * Invites an address and emails the link. The response does not depend on whether the address has an account.
 * @throws Fault `forbidden`: the role is above the person's own; `conflict`: a member, invited already, or too many
 */
export const invite = async (deps: Deps, request: InviteRequest__Output): Promise<ShownInvitation> => {
  const { accounts, now, limits } = deps
  const { workspace, user: actor, client_address: clientAddress } = request
  await requirePermission(deps, request, 'members:write')
  const role = checkedRole(request.role)
  const normalized = normalizeEmail(request.email)
  if (!('email' in normalized)) throw invalid({ path: 'email', ...normalized })
  const { email } = normalized
  const user = (await accounts.userByEmail(email))?.id ?? null
  const at = now()
  const id = newId('inv')
  const times = { createdAt: at, sentAt: at, expiresAt: at + linkLifeMs.invitation }
  const invitation: Invitation = { id, email, role, invitedBy: actor, ...times }
  const decide = (from: People) => invited(from, { invitation, user, limits: limits.people })
  // A request that is refused anyway does not count against the limits of emails.
  await checkChange(deps, workspace, decide)
  await countInvitationMail(deps, workspace, email)
  const after = invitationState(invitation)
  await changePeople(deps, workspace, {
    decide,
    entryOf: () => ({ actor, clientAddress, action: 'invitation.create', target: id, after }),
  })
  await mailLink(deps, workspace, invitation)
  return recordOf(invitation, at)
}

/** Returns the invitations that can be accepted or sent again, the newest first. */
export const listInvitations = async (
  deps: Deps,
  { workspace }: WorkspaceRequest__Output,
): Promise<{ invitations: ShownInvitation[] }> => {
  const { invitations } = await readPeople(deps, workspace)
  const at = deps.now()
  const newestFirst = invitations.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return { invitations: newestFirst.map((invitation) => recordOf(invitation, at)) }
}

/** Ends an invitation; its link is unknown from then on. */
export const revokeInvitation = async (deps: Deps, request: InvitationRequest__Output) => {
  const { workspace, user: actor, id, client_address: clientAddress } = request
  await changePeople(deps, workspace, {
    decide: (from) => revoked(from, { actor, id }),
    entryOf: (from) => ({
      actor,
      clientAddress,
      action: 'invitation.revoke',
      target: id,
      before: invitationState(existing(from, id)),
    }),
  })
  await deps.links.deleteLinks('invitation', linkSubject(workspace, id))
  return {}
}

/** Renews an invitation and emails a new link. The former link is unknown from then on. */
export const resendInvitation = async (deps: Deps, request: InvitationRequest__Output): Promise<ShownInvitation> => {
  const { workspace, user: actor, id, client_address: clientAddress } = request
  const now = deps.now()
  const decide = (from: People) => renewInvitation(from, { actor, id, now, lifeMs: linkLifeMs.invitation })
  const before = await checkChange(deps, workspace, decide)
  await countInvitationMail(deps, workspace, existing(before, id).email)
  const people = await changePeople(deps, workspace, {
    decide,
    entryOf: (from) => ({
      actor,
      clientAddress,
      action: 'invitation.resend',
      target: id,
      before: { expires_at: isoTime(existing(from, id).expiresAt) },
      after: { expires_at: isoTime(now + linkLifeMs.invitation) },
    }),
  })
  const invitation = existing(people, id)
  await mailLink(deps, workspace, invitation)
  return recordOf(invitation, now)
}
