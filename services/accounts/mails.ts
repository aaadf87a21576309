import { unusedAfterMs } from '@postrider/domain/accounts/keyLife.ts'
import { senderNameOf } from '@postrider/domain/accounts/textRules.ts'
import type { ChargeFailure, PaymentNotice } from '@postrider/domain/billing/collections.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { durationText, isoTime } from '@postrider/domain/time.ts'
import { escapeHtml } from '@postrider/kit/escapeHtml.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredKey, User } from '@postrider/ports/accounts.ts'
import type { IssuedLink } from './links.ts'
import type { MailQueue } from './mailQueue.ts'

/*
 * The emails about a person's own account, about unused keys and about charges that failed. Each is one short text,
 * with at most one link.
 */

/** An email in parts: paragraphs, and a link with the words of its button between the first ones and `after`. */
export type MailText = {
  subject: string
  before: readonly string[]
  link?: { url: string; label: string }
  after?: readonly string[]
}

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`

const button = ({ url, label }: { url: string; label: string }): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#0b57c9;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#5b6470">Or copy this address into your browser:<br><a href="${escapeHtml(url)}" style="color:#0b57c9;word-break:break-all">${escapeHtml(url)}</a></p>`

/** Returns the subject and both bodies of an email. */
export const mailBodies = ({
  subject,
  before,
  link,
  after = [],
}: MailText): Pick<SystemMessage, 'subject' | 'text' | 'html'> => ({
  subject,
  text: [...before, ...(link ? [link.url] : []), ...after].join('\n\n').concat('\n'),
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
${[...before.map(paragraph), ...(link ? [button(link)] : []), ...after.map(paragraph)].join('\n')}
</div>
</body></html>
`,
})

/** Returns an email with a link and states how long it works; the email is tried for that time. */
const linkMail = (
  to: string,
  { url, idempotencyKey, expiresInMs }: IssuedLink,
  { before, label, ...text }: Omit<MailText, 'before'> & { before: string; label: string },
): SystemMessage => {
  const first = `${before} The link works once, for ${durationText(expiresInMs)}.`
  return { to, ...mailBodies({ ...text, before: [first], link: { url, label } }), idempotencyKey, expiresInMs }
}

const notYou = 'If this was not you, you can ignore this mail.'

export const confirmEmailMail = (to: string, link: IssuedLink): SystemMessage =>
  linkMail(to, link, {
    subject: 'Confirm your email address',
    before: `Please confirm that ${to} is your email address.`,
    label: 'Confirm the address',
    // A confirmed account has its second factor also after a password by mail.
    after: ['If you did not create an account, do not confirm the address: you can ignore this mail.'],
  })

export const changeEmailMail = (to: string, link: IssuedLink): SystemMessage =>
  linkMail(to, link, {
    subject: 'Confirm your new email address',
    before: `Please confirm that ${to} is the new email address of your account. Until then, the former address stays.`,
    label: 'Use the new address',
    after: [notYou],
  })

export const resetPasswordMail = (to: string, link: IssuedLink): SystemMessage =>
  linkMail(to, link, {
    subject: 'Set a new password',
    before: `A new password was requested for the account of ${to}.`,
    label: 'Set a new password',
    after: ['If this was not you, you can ignore this mail: your password stays as it is.'],
  })

/** Subject and text of each notice. */
const notices = {
  password_changed: {
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and its other sessions were ended.',
  },
  password_reset: {
    subject: 'Your password was changed',
    text: 'The password of your account was set again with a link from an email, and all its sessions were ended.',
  },
  password_reset_totp: {
    subject: 'Your password was changed',
    text: 'The password of your account was set again with a link from an email, and all its sessions were ended. Two-factor authentication was switched off, because the email address of the account was not confirmed before: another person may have created the account. Check the members and API keys of its workspaces, and switch two-factor authentication on again.',
  },
  email_requested: {
    subject: 'A new email address was requested',
    text: 'A new email address was requested for your account. This address stays until the new one is confirmed.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    text: 'Your account has a new email address. This address is not used for it any more.',
  },
  totp_enabled: {
    subject: 'Two-factor authentication is on',
    text: 'Two-factor authentication was switched on for your account. Logins need a code now. Store your recovery codes.',
  },
  totp_disabled: {
    subject: 'Two-factor authentication is off',
    text: 'Two-factor authentication was switched off for your account. Logins need your password only.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    text: 'A recovery code was used to log in to your account. It cannot be used again.',
  },
} as const

export type Notice = keyof typeof notices

const ifNotYou = 'If this was not you, set a new password now, and tell the owner of your workspace.'

/** The former address cannot get a new password: that mail goes to the new one. */
const ifNotYouAnyMore =
  'If this was not you, tell the owner of your workspace and the operator of this service now. You cannot set a new password yourself: that mail goes to the new address.'

/** Returns a notice about a change of the account. @param id unique for the change */
export const noticeMail = (to: string, notice: Notice, id: string): SystemMessage => ({
  to,
  ...mailBodies({
    subject: notices[notice].subject,
    before: [notices[notice].text, notice === 'email_changed' ? ifNotYouAnyMore : ifNotYou],
  }),
  idempotencyKey: `${notice} ${id}`,
})

/** Emails a person a notice about a change of the account, after the response to the request that changed it. */
export const mailNotice = (
  { mails }: { mails: Pick<MailQueue, 'post'> },
  { email }: Pick<User, 'email'>,
  notice: Notice,
): void => {
  const id = newId('evt')
  mails.post(async () => [noticeMail(email, notice, id)])
}

export type UnusedKeyMail = { to: string; owner: string; key: StoredKey; workspaceName: string }

/**
 * Returns the notice to an owner that a key is unused. Both names are chosen by people: they must not read as
 * addresses.
 */
export const unusedKeyMail = ({ to, owner, key, workspaceName }: UnusedKeyMail): SystemMessage => {
  const nameOf = (name: string) => senderNameOf({ name, senderName: '' })
  const used =
    key.lastUsedAt === null ? 'It was never used.' : `It was last used on ${isoTime(key.lastUsedAt).slice(0, 10)}.`
  const [name, workspace] = [nameOf(key.name), nameOf(workspaceName)]
  const which = [
    name && ` “${name}”`,
    ` (${key.prefix}…${key.lastFour})`,
    workspace && ` of the workspace “${workspace}”`,
  ]
  return {
    to,
    ...mailBodies({
      subject: 'An API key is not used',
      before: [
        `The API key${which.join('')} has not been used for ${durationText(unusedAfterMs)}. ${used}`,
        'If you do not need it, revoke it: a key that no one uses can be stolen without being noticed. There is one email for each key.',
      ],
    }),
    idempotencyKey: `key_unused ${key.id} ${owner}`,
  }
}

export type ChargeFailedMail = { to: string; owner: string; notice: PaymentNotice; workspaceName: string }

const failureTexts: Readonly<Record<ChargeFailure, string>> = {
  declined: 'Your card was declined.',
  authentication: 'Your bank wants you to confirm the payment.',
  no_payment_method: 'No card is saved.',
}

/** Returns the notice to an owner that an invoice could not be charged, with the page where it is paid. */
export const chargeFailedMail = ({ to, owner, notice, workspaceName }: ChargeFailedMail): SystemMessage => {
  const { number, amountCents, reason, page, nextAt } = notice
  const workspace = senderNameOf({ name: workspaceName, senderName: '' })
  const day = (at: number) => isoTime(at).slice(0, 10)
  const again =
    nextAt === null
      ? 'The card is not charged again.'
      : `If it is not paid by then, the card is charged again on ${day(nextAt)} (UTC).`
  const paths = `Without the link, an owner gets a page with POST /api/v1/billing/invoices/${notice.invoice}/pay.`
  return {
    to,
    ...mailBodies({
      subject: `Payment of invoice ${number} failed`,
      before: [
        `Payment of invoice ${number} (${usdText(amountCents)} USD${workspace && `, workspace “${workspace}”`}) failed. ${failureTexts[reason]}`,
        ...(page === null ? [] : [`Please pay it on the page below. The page works until ${isoTime(page.until)}.`]),
      ],
      ...(page === null ? {} : { link: { url: page.url, label: 'Pay the invoice' } }),
      after: [again, paths],
    }),
    idempotencyKey: `charge_failed ${notice.id} ${owner}`,
  }
}

export type DeletedWorkspaceMail = { to: string; owner: string; workspace: string; name: string; at: number }

/** Returns the notice to an owner that an owner deletes the workspace. @param at when */
export const deletedWorkspaceMail = ({ to, owner, workspace, name, at }: DeletedWorkspaceMail): SystemMessage => {
  const shown = senderNameOf({ name, senderName: '' })
  const time = isoTime(at)
  return {
    to,
    ...mailBodies({
      subject: 'A workspace will be deleted',
      before: [
        `An owner of the workspace${shown && ` “${shown}”`} (${workspace}) requested its deletion. It sends no mail any more, and is removed with everything in it at ${time}.`,
        'If this is a mistake, ask the operator of this service before that time: only the operator can restore it.',
      ],
    }),
    idempotencyKey: `workspace_deleted ${workspace} ${time} ${owner}`,
  }
}
