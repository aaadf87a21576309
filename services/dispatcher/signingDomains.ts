import { isUsable, platformWorkspace, type SigningDomain } from '@postrider/domain/domains/domain.ts'
import { decideSigning, type SigningDecision } from '@postrider/domain/domains/signing.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { ttlCache } from '@postrider/kit/ttlCache.ts'
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

/** Reads each domain once in `freshMs`. Mail that needs a domain while it is read waits for that read. */
export const signingDomains = ({ domains, now }: SigningDomainsOptions): SigningDomains => {
  const known = ttlCache<{ domain: KnownDomain | null }>({ freshMs, max: maxDomains, now })
  const reading = new Map<string, Promise<KnownDomain | null>>()

  const read = async (key: string, readDomain: () => Promise<SigningDomain | null>): Promise<KnownDomain | null> => {
    const at = now()
    const found = await readDomain()
    const domain = found && { id: found.id, workspace: found.workspace, decision: decideSigning(found) }
    known.set(key, { domain }, at)
    return domain
  }
  const find = (key: string, readDomain: () => Promise<SigningDomain | null>) => {
    const recently = known.get(key)
    if (recently !== null) return recently.domain
    const running = reading.get(key) ?? read(key, readDomain).finally(() => reading.delete(key))
    reading.set(key, running)
    return running
  }

  const readPlatform = async (name: string): Promise<SigningDomain | null> => {
    const domain = (await domains.byName(platformWorkspace, name))?.domain ?? null
    return domain === null || (isPlaceholder(name) && !isUsable(domain)) ? null : domain
  }
  return {
    customer: (id) => find(id, () => domains.signing(id)),
    // The name of a domain is never the id of one.
    platform: (name) => find(name, () => readPlatform(name)),
  }
}

/** RFC 6761 §6.3: no receiver can look up a key there. The sender of an installation without configuration has such a name. */
const isPlaceholder = (name: string): boolean => isWithin(name, 'localhost')
