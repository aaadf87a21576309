import { domainOf, isWithin } from '@postrider/mail/address.ts'
import { isUsable, platformWorkspace, type SigningDomain } from './domain.ts'
import { isRequiredKey, type SigningKey, signingKeys } from './keys.ts'
import { dkimName, returnPathName } from './records.ts'

/** Time for which mail of a domain that may not send waits before the domain is read again, in milliseconds. */
export const signingWaitMs = 5 * 60_000

/**
 * Maximum time for which mail waits after a failure of the store or of a signature, in milliseconds. These end by
 * themselves, or when the operator corrects the configuration.
 */
export const signingFailureWaitMs = 60_000

/**
 * - `sign`: with each of these keys, `d=` is `domain`.
 * - `wait`: the mail is neither sent nor changed. It is due again after `waitMs`; that uses no try of the retry
 *   schedule and ends when the mail expires. `reason` is stored in its record.
 */
export type SigningDecision =
  | { kind: 'sign'; domain: string; keys: SigningKey[]; returnPath: string | null }
  | { kind: 'wait'; reason: string; waitMs: number }

/**
 * Decides whether accepted mail of a domain leaves. It does while the domain is `verified` or `warning`; system mail's
 * own domain always does.
 * @param domain null: it was deleted
 */
export const decideSigning = (domain: SigningDomain | null): SigningDecision => {
  if (domain === null)
    return wait('Its sending domain was deleted, so the mail cannot be signed. Cancel it, and send it again.')
  if (domain.workspace !== platformWorkspace && !isUsable(domain)) return wait(unusable(domain))
  const keys = signingKeys(domain)
  if (!canSign(keys)) return wait(`The domain ${domain.name} has no DKIM key that can sign.`)
  const returnPath = domain.returnPathVerified ? returnPathName(domain) : null
  return { kind: 'sign', domain: domain.name, keys, returnPath }
}

/**
 * Returns whether these keys are enough to sign: one must be RSA, which all receivers can verify. Ed25519 alone would
 * count as no signature.
 */
export const canSign = (keys: readonly Pick<SigningKey, 'algorithm'>[]): boolean =>
  keys.some(({ algorithm }) => algorithm === 'rsa')

/** Returns whether a domain may sign mail of this sender: its address is within the domain. */
export const maySignFor = (domain: string, senderAddress: string): boolean => isWithin(domainOf(senderAddress), domain)

const wait = (reason: string): SigningDecision => ({ kind: 'wait', reason, waitMs: signingWaitMs })

const unusable = (domain: SigningDomain): string => {
  const { name, keys, lastCheck } = domain
  const required = new Set(keys.filter((key) => isRequiredKey(key, keys)).map((key) => dkimName(domain, key)))
  const broken = lastCheck?.records.find(
    (record) =>
      (record.purpose === 'ownership' || required.has(record.name)) &&
      (record.status === 'missing' || record.status === 'wrong'),
  )
  return `The domain ${name} is not verified, so the mail waits.${broken?.problem ? ` ${broken.problem}` : ''}`
}
