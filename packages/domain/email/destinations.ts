import { domainOf } from '@postrider/mail/address.ts'
import type { StoredEmail } from './email.ts'

/** Waiting recipients of one domain. Times are those of the store. */
export type Destination = {
  domain: string
  recipients: number
  /** Recipients that are due or in flight. */
  due: number
  /** Recipients that were deferred. */
  deferred: number
  /** When the first of them is due. */
  nextAt: number
}

/** Counts the recipients that wait by domain, most first. */
export const destinationsOf = (mail: readonly StoredEmail[], now: number): Destination[] => {
  const found = new Map<string, Destination>()
  for (const { email } of mail) {
    const offset = email.clock?.offset ?? 0
    for (const { address, status, nextAt } of email.recipients) {
      if (nextAt === null) continue
      const at = nextAt - offset
      const domain = domainOf(address).toLowerCase()
      const destination = found.get(domain) ?? { domain, recipients: 0, due: 0, deferred: 0, nextAt: at }
      found.set(domain, {
        domain,
        recipients: destination.recipients + 1,
        due: destination.due + (at <= now ? 1 : 0),
        deferred: destination.deferred + (status === 'deferred' ? 1 : 0),
        nextAt: Math.min(destination.nextAt, at),
      })
    }
  }
  return [...found.values()].sort((a, b) => b.recipients - a.recipients || (a.domain < b.domain ? -1 : 1))
}
