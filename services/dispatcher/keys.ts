import type { KeyObject } from 'node:crypto'
import { isUsable, type KeyAlgorithm, platformWorkspace, type SigningDomain } from '@postrider/domain/domains/domain.ts'
import { type SigningKey, sealedContext } from '@postrider/domain/domains/keys.ts'
import { decideSigning, type SigningDecision } from '@postrider/domain/domains/signing.ts'
import { boundedMap } from '@postrider/kit/boundedMap.ts'
import { cachedRead } from '@postrider/kit/cachedRead.ts'
import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import { oncePerMinute } from '@postrider/kit/failureLog.ts'
import type { Log } from '@postrider/kit/log.ts'
import { requireOpened, type SecretBox } from '@postrider/kit/secretBox.ts'
import { isWithin } from '@postrider/mail/address.ts'
import type { PrivateDkimKey } from '@postrider/mail/dkim.ts'
import { parseDkimKey } from '@postrider/mail/dkimKeys.ts'
import type { DkimAlgorithm } from '@postrider/mail/dkimSignature.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { SigningMetrics } from './metrics.ts'

/** A domain that signs: its workspace, and whether and how its mail may leave. */
export type KnownDomain = { id: string; workspace: string; decision: SigningDecision }

export type SigningDomains = {
  /** Returns a domain of a customer; null: it was deleted. @throws Fault `unavailable` */
  customer(id: string): KnownDomain | null | Promise<KnownDomain | null>
  /**
   * Returns the domain of the shared sender, or of a former one, whose mail may still wait; null: it does not sign.
   * @throws Fault `unavailable`
   */
  platform(name: string): KnownDomain | null | Promise<KnownDomain | null>
}

export type SigningDomainsOptions = {
  domains: Pick<DomainStore, 'signing' | 'byName'>
  elapsed: Monotonic
}

/** A change of the status or of the keys takes effect within this time. */
const freshMs = 3_000
/** Maximum number of domains in memory; a domain with sealed keys of both algorithms has about 3 kB. */
const maxDomains = 2_000
/** Maximum number of names of the shared sender, present and former, in memory. */
const maxPlatformDomains = 100

/** Reads each domain once in `freshMs`. Mail that needs a domain while it is read waits for that read. */
export const signingDomains = ({ domains, elapsed }: SigningDomainsOptions): SigningDomains => {
  const readCustomer = async (id: string) => asKnown(await domains.signing(id))
  const readPlatform = async (name: string): Promise<KnownDomain | null> => {
    const domain = (await domains.byName(platformWorkspace, name))?.domain ?? null
    return asKnown(domain === null || (isPlaceholder(name) && !isUsable(domain)) ? null : domain)
  }
  return {
    customer: cachedRead({ read: readCustomer, freshMs, max: maxDomains, elapsed }).get,
    platform: cachedRead({ read: readPlatform, freshMs, max: maxPlatformDomains, elapsed }).get,
  }
}

const asKnown = (found: SigningDomain | null): KnownDomain | null =>
  found && { id: found.id, workspace: found.workspace, decision: decideSigning(found) }

/**
 * RFC 6761 §6.3: no receiver can look up a key there. The sender of an installation without configuration has such a
 * name.
 */
const isPlaceholder = (name: string): boolean => isWithin(name, 'localhost')

export type ReportFailure = (failure: { domain: KnownDomain; selector?: string; err: unknown }, message: string) => void

/** A failure repeats with each email; one line a minute shows it. */
export const failureReporter = ({ log, now }: { log: Pick<Log, 'error'>; now: Clock }): ReportFailure => {
  const once = oncePerMinute(now)
  return ({ domain: { id }, selector, err }, message) =>
    once(`${message} ${id} ${selector ?? ''}`, () =>
      log.error({ domain_id: id, ...(selector !== undefined && { selector }), err }, message),
    )
}

export type KeyOpenerOptions = {
  /** Null: the process has no master key. */
  box: Pick<SecretBox, 'open'> | null
  metrics: Pick<SigningMetrics, 'signatures'>
}

/**
 * Maximum number of parsed keys, because parsing costs as much as signing: with their memory outside the heap about 10
 * kB each.
 */
const maxKeys = 2_000

const algorithms: Record<KeyAlgorithm, DkimAlgorithm> = { rsa: 'rsa-sha256', ed25519: 'ed25519-sha256' }

/** Returns a function that opens and parses a private key, or returns null for a key that this process cannot use. */
export const keyOpener = ({ box, metrics }: KeyOpenerOptions, report: ReportFailure) => {
  const parsed = boundedMap<{ box: string; key: KeyObject }>(maxKeys)
  return (domain: KnownDomain, name: string, { selector, algorithm, sealed }: SigningKey): PrivateDkimKey | null => {
    const parse = (): KeyObject => {
      if (box === null) throw new Error('POSTRIDER_SECRET is not set')
      const opened = box.open(sealed.box, sealedContext(domain, { selector }))
      const plain = requireOpened(opened, `the DKIM key of ${name}`)
      try {
        return parseDkimKey(algorithms[algorithm], plain)
      } finally {
        plain.fill(0)
      }
    }
    try {
      const keyName = `${selector} ${name}`
      const known = parsed.get(keyName)
      const current = known?.box === sealed.box ? known : { box: sealed.box, key: parse() }
      // Even if the key is cached: the least recently used key is evicted.
      parsed.set(keyName, current)
      return { selector, algorithm: algorithms[algorithm], key: current.key }
    } catch (err) {
      metrics.signatures.inc({ algorithm, outcome: 'failed' })
      report({ domain, selector, err }, 'cannot decrypt signing key')
      return null
    }
  }
}
