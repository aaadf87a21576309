import type { Role } from '@postrider/domain/accounts/roles.ts'
import { senderNameOf } from '@postrider/domain/accounts/textRules.ts'
import { countText } from '@postrider/domain/countText.ts'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import type { GroupedEvents, NoticedEvent } from '@postrider/domain/notifications/group.ts'
import { type NotificationKind, notificationKinds } from '@postrider/domain/notifications/kinds.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { disableAfterHours } from '@postrider/domain/webhooks/life.ts'
import { mailBodies } from './mails.ts'

/*
 * The emails about events of a workspace. Their data comes from stored events, so a text tolerates members that are
 * absent.
 */

type Data = NoticedEvent['data']

/** The subject and the text of one event. */
type Words = { subject: string; text: string }

const textOf = (data: Data, name: string): string => {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}

const countOf = (data: Data, name: string): string => {
  const value = data[name]
  return typeof value === 'number' ? countText(value) : '?'
}

/** 2026-11-22T00:00:00.000Z as `2026-11-22 00:00 UTC`. */
const timeText = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`

/**
 * A host of an endpoint, and not its path: a member chose the address, and it may not lead readers of this mail
 * anywhere.
 */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'unknown')

const quotaWords = (data: Data): Words => {
  const period = textOf(data, 'period')
  const used = `${countOf(data, 'used')} of ${countOf(data, 'limit')} sends are used`
  const reset = `The quota resets at ${timeText(textOf(data, 'resets_at'))}.`
  const further = period === 'daily' ? 'refused' : 'refused, or charged as overage if the plan has it'
  return data['threshold_percent'] === 100
    ? {
        subject: `The ${period} quota is used up`,
        text: `The ${period} quota is used up: ${used}. ${reset} Until then, further sends are ${further}.`,
      }
    : {
        subject: `80 % of the ${period} quota is used`,
        text: `80 % of the ${period} quota is used: ${used}. ${reset}`,
      }
}

const problemsOf = (data: Data): string => {
  const problems = Array.isArray(data['problems']) ? (data['problems'] as readonly Data[]) : []
  const lines = problems.slice(0, 5).map((one) => textOf(one, 'problem') || `Check the record ${textOf(one, 'name')}.`)
  return lines.length === 0 ? '' : ` ${lines.join(' ')}`
}

const rateWords = (data: Data, level: string): Words => {
  const isBounce = data['metric'] === 'bounce'
  const what = isBounce ? 'bounce rate' : 'complaint rate'
  const advice = isBounce
    ? 'Send only to addresses that their owners gave you, and remove those that bounced.'
    : 'Send only to people who asked for your mail.'
  const rate = `${countOf(data, 'rate_percent')} % (limit: ${countOf(data, 'limit_percent')} %)`
  return {
    subject: `The ${what} is ${level}`,
    text: `The ${what} of the last ${data['window'] === '24h' ? '24 hours' : '30 days'} is ${rate}: ${countOf(data, 'delivered')} recipients were delivered, ${countOf(data, isBounce ? 'bounced' : 'complained')} ${isBounce ? 'bounced' : 'complained'}. ${advice}`,
  }
}

const deviceWords = (data: Data): Words => ({
  subject: 'New login to your account',
  text: `There was a login to your account on ${textOf(data, 'device') || 'an unknown device'} from the address ${textOf(data, 'address') || 'unknown'} at ${timeText(textOf(data, 'signed_in_at'))}. If this was not you, set a new password now: it ends all other sessions.`,
})

/** Why an endpoint was disabled; other reasons are shown as they are. */
const disabledReasons: Readonly<Record<string, string>> = {
  gone: 'it returned 410 Gone',
  failures: `every delivery failed for ${disableAfterHours} hours`,
}

const wordsByType: Readonly<Record<string, (data: Data) => Words>> = {
  'quota.warning': quotaWords,
  'quota.exhausted': quotaWords,
  'domain.warning': (data) => ({
    subject: `A DNS record of ${textOf(data, 'name')} is missing or wrong`,
    text: `A required DNS record of ${textOf(data, 'name')} is missing or wrong. Its mail is still sent; after 24 hours in this state it waits.${problemsOf(data)}`,
  }),
  'domain.failed': (data) => ({
    subject: `The domain ${textOf(data, 'name')} has failed`,
    text: `A required DNS record of ${textOf(data, 'name')} has been missing or wrong for 24 hours. Mail from this domain waits until the record is found again.${problemsOf(data)}`,
  }),
  'webhook.failing': (data) => ({
    subject: `The webhook endpoint on ${hostOf(textOf(data, 'url'))} fails`,
    text: `All attempts to deliver an event to the webhook endpoint ${textOf(data, 'webhook_id')} on ${hostOf(textOf(data, 'url'))} have failed; GET /api/v1/webhooks/${textOf(data, 'webhook_id')}/deliveries?status=failed shows why. After ${disableAfterHours} hours in which every delivery fails, the endpoint is disabled.`,
  }),
  'webhook.disabled': (data) => {
    const reason = disabledReasons[textOf(data, 'reason')]
    const path = `/api/v1/webhooks/${textOf(data, 'webhook_id')}`
    return {
      subject: `The webhook endpoint on ${hostOf(textOf(data, 'url'))} was disabled`,
      text: `The webhook endpoint ${textOf(data, 'webhook_id')} on ${hostOf(textOf(data, 'url'))} was disabled${reason === undefined ? '' : `: ${reason}`}. It gets no more events until it is enabled again: PATCH ${path} {"enabled": true}. No event is lost: POST ${path}/replay sends those of the time in between.`,
    }
  },
  'reputation.warning': (data) => rateWords(data, 'high'),
  'reputation.critical': (data) => rateWords(data, 'critical'),
  'sign_in.new_device': deviceWords,
}

const wordsOf = ({ type, data }: NoticedEvent): Words =>
  wordsByType[type]?.(data) ?? { subject: 'A notification', text: `An event of the type ${type} happened.` }

/** Subjects of emails about several events. */
const digestSubjects: Readonly<Record<NotificationKind, string>> = {
  quota: 'notifications about quotas',
  domains: 'notifications about sending domains',
  webhooks: 'notifications about webhook endpoints',
  reputation: 'notifications about bounces and complaints',
  sign_in: 'logins on new devices',
}

export type NotificationMail = {
  to: string
  user: string
  role: Role | null
  kind: NotificationKind
  workspaceName: string
  events: GroupedEvents
  /** Names the mail in its group. */
  key: string
  publicUrl: string
}

const reasonFor = ({ kind, role, publicUrl }: NotificationMail, quotedName: string): string => {
  const who = role === null ? 'because it is your account' : `as ${role} of the workspace${quotedName}`
  return `You get this mail ${who}: ${notificationKinds[kind].text}. You can switch such emails (“${kind}”) off: PATCH ${publicUrl}/api/v1/account/notifications. More of them within an hour come in one email.`
}

/**
 * Returns the mail about some events for one member. The name of the workspace is chosen by people: it must not read as
 * an address.
 */
export const notificationMail = (mail: NotificationMail): SystemMessage => {
  const { to, user, kind, events, key } = mail
  const name = senderNameOf({ name: mail.workspaceName, senderName: '' })
  const quotedName = name && kind !== 'sign_in' ? ` “${name}”` : ''
  const words = events.shown.map((event) => ({ at: isoTime(event.at), ...wordsOf(event) }))
  const [first] = words
  const isDigest = events.count > 1
  const subject = isDigest || !first ? `${events.count} ${digestSubjects[kind]}` : first.subject
  const others = events.count - words.length
  const paragraphs = isDigest ? words.map(({ at, text }) => `${timeText(at)}: ${text}`) : words.map(({ text }) => text)
  return {
    to,
    ...mailBodies({
      subject: quotedName === '' ? subject : `${subject} (${name})`,
      before: [
        ...(quotedName === '' ? [] : [`Workspace${quotedName}`]),
        ...paragraphs,
        ...(others > 0 ? [`${countText(others)} more events of this kind are not shown.`] : []),
      ],
      after: [reasonFor(mail, quotedName)],
    }),
    idempotencyKey: `notification ${key} ${user}`,
  }
}
