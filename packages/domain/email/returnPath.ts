import { domainOf } from '@postrider/mail/address.ts'
import { returnPathName } from '../domains/records.ts'

/** Returns the envelope sender of a customer's return path. Its MX record leads to the domain that receives bounces. */
export const bounceAddress = (returnPath: string): string => `bounce@${returnPath}`

type Signed = {
  /** Name of the domain that signs. */
  domain: string
  /** Domain of its return path; null: the records are not verified now. */
  returnPath: string | null
}

/**
 * Returns the envelope sender for an attempt. A return path whose records were removed after the mail was accepted
 * would fail SPF and lose bounces, so the platform's address replaces it.
 * @param envelopeFrom as it was at acceptance
 */
export const envelopeSender = (envelopeFrom: string, { domain, returnPath }: Signed, platform: string): string =>
  returnPath === null && domainOf(envelopeFrom) === returnPathName({ name: domain }) ? platform : envelopeFrom
