import { isUsable, platformWorkspace, type SigningDomain } from '@postrider/domain/domains/domain.ts'
import { decideSigning, type SigningDecision } from '@postrider/domain/domains/signing.ts'
import { cachedRead } from '@postrider/kit/cachedRead.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { isWithin } from '@postrider/mail/address.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'

/** A domain that signs: its workspace, and whether and how its mail may leave. */
export type KnownDomain = { id: string; workspace: string; decision: SigningDecision }

export type SigningDomains = {
  /** Returns a domain of a customer; null: it was deleted. @throws Fault `unavailable` */
  customer(id: string): KnownDomain | null | Promise<KnownDomain | null>
  /**
   * Returns the domain of the platform's sender, or of a former one, whose mail may still wait; null: it does not sign.
   * @throws Fault `unavailable`
   */
  platform(name: string): KnownDomain | null | Promise<KnownDomain | null>
}

export type SigningDomainsOptions = {
  domains: Pick<DomainStore, 'signing' | 'byName'>
  now: Clock
}

/** A change of the status or of the keys takes effect within this time. */
const freshMs = 3_000
/** Maximum number of domains in memory; a domain with sealed keys of both algorithms has about 3 kB. */
const maxDomains = 2_000
/** Maximum number of names of the platform's sender, present and former, in memory. */
const maxPlatformDomains = 100

/** Reads each domain once in `freshMs`. Mail that needs a domain while it is read waits for that read. */
export const signingDomains = ({ domains, now }: SigningDomainsOptions): SigningDomains => {
  const readCustomer = async (id: string) => asKnown(await domains.signing(id))
  const readPlatform = async (name: string): Promise<KnownDomain | null> => {
    const domain = (await domains.byName(platformWorkspace, name))?.domain ?? null
    return asKnown(domain === null || (isPlaceholder(name) && !isUsable(domain)) ? null : domain)
  }
  return {
    customer: cachedRead({ read: readCustomer, freshMs, max: maxDomains, now }).get,
    platform: cachedRead({ read: readPlatform, freshMs, max: maxPlatformDomains, now }).get,
  }
}

const asKnown = (found: SigningDomain | null): KnownDomain | null =>
  found && { id: found.id, workspace: found.workspace, decision: decideSigning(found) }

/** RFC 6761 §6.3: no receiver can look up a key there. The sender of an installation without configuration has such a name. */
const isPlaceholder = (name: string): boolean => isWithin(name, 'localhost')
