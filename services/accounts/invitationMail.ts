import { type Link, linkMailKey, linkUrl } from '@postrider/domain/accounts/links.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { senderNameOf } from '@postrider/domain/accounts/textRules.ts'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { mailBodies } from './mails.ts'

export type InvitationMail = {
  publicUrl: string
  link: Link
  token: string
  workspaceName: string
  /** Address of the person who invites. */
  inviter: string
  role: Role
}

/** Returns the mail of an invitation. */
export const invitationMail = ({
  publicUrl,
  link,
  token,
  workspaceName,
  inviter,
  role,
}: InvitationMail): SystemMessage => {
  // A tenant chooses the name, and the mail goes to people who do not know the tenant: it must not read as an address.
  const shown = senderNameOf({ name: workspaceName, senderName: '' })
  const workspace = shown === '' ? 'a workspace' : `the workspace “${shown}”`
  const url = linkUrl(publicUrl, 'invitation', token)
  const offer = `${inviter} invites you to ${workspace} on Postrider as ${role}.`
  const [day, time] = isoTime(link.expiresAt).split('T')
  const until = `The link works once, until ${day} at ${time?.slice(0, 5)} UTC, and only for ${link.address}.`
  const ignore = 'If you do not expect this mail, ignore it: nothing happens.'
  return {
    to: link.address,
    ...mailBodies({
      subject: shown === '' ? 'Invitation to a workspace' : `Invitation to ${shown}`,
      before: [offer],
      link: { url, label: 'Accept the invitation' },
      after: [until, ignore],
    }),
    idempotencyKey: linkMailKey(link),
    expiresInMs: link.expiresAt - link.createdAt,
  }
}
