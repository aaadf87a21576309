import { withEvents, withRecipients } from '@postrider/domain/email/changes.ts'
import type { Email, EventCause } from '@postrider/domain/email/email.ts'
import { email, recipient } from './emailsFixtures.conformance.ts'

const byKey = { kind: 'request', actor: 'key_1' } as const

/** Returns an email of this release that was accepted at this time. */
export const acceptedMail = (at: number, over: Partial<Email> = {}): Email =>
  withEvents(email({ createdAt: at, ...over }), at, [{ type: 'email.accepted', recipient: null, cause: byKey }])

type Outcome = 'delivered' | 'deferred' | 'bounced'

/** Returns an email after an attempt for one recipient. @param beganAt when the attempt began */
export const attempted = (
  one: Email,
  number: number,
  { beganAt, at, outcome }: { beganAt: number; at: number; outcome: Outcome },
): Email => {
  const id = `att_${one.attempts.length}_${one.id}`
  const attempt = {
    id,
    at: beganAt,
    host: 'mx.example.com:25',
    recipients: [number],
    outcome,
    reply: '250 ok',
    possibleDuplicate: false,
    committed: null,
    steps: [],
  }
  const cause: EventCause = { kind: 'reply', attempt: id, code: outcome === 'delivered' ? 250 : 550 }
  const sent = withEvents({ ...one, attempts: [...one.attempts, attempt] }, beganAt, [
    { type: 'email.sent', recipient: number, cause: { kind: 'attempt', attempt: id } },
  ])
  const ended = withRecipients(sent, [number], (to) => ({ ...to, status: outcome, nextAt: null }))
  return withEvents(ended, at, [{ type: `email.${outcome}`, recipient: number, cause }])
}

const domains = ['example.com', 'example.net', 'example.org']

/** Returns the states of one email from its acceptance on, each with the time of its last event. */
export const randomLife = (random: () => number, { start, spanMs }: { start: number; spanMs: number }): Email[] => {
  const pick = (below: number): number => Math.floor(random() * below)
  let at = start + pick(spanMs)
  const recipients = Array.from({ length: 1 + pick(3) }, (_, number) =>
    recipient({ address: `to${number}@${domains[pick(domains.length)]}` }),
  )
  const tags: Record<string, string> = random() < 0.5 ? { team: `${pick(3)}` } : {}
  const category = random() < 0.7 ? 'transactional' : 'marketing'
  const states = [acceptedMail(at, { recipients, tags, category })]
  for (let tries = 0; tries < 3; tries++)
    for (const number of recipients.keys()) {
      const last = states.at(-1)
      if (last === undefined || ['delivered', 'bounced'].includes(last.recipients[number]?.status ?? '')) continue
      const beganAt = at + pick(spanMs / 4)
      at = beganAt + pick(5_000)
      const outcome = (['delivered', 'deferred', 'bounced'] as const)[pick(3)] ?? 'delivered'
      states.push(attempted(last, number, { beganAt, at, outcome }))
    }
  return states
}
