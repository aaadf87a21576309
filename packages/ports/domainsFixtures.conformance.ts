import type { SenderDomain, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { newDomain } from '@postrider/domain/domains/life.ts'
import { newId } from '@postrider/kit/ids.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { DomainStore } from './domains.ts'

export type OpenDomains = () => DomainStore | Promise<DomainStore>

/** Maximum number of domains that the store is given; no test stores as many. */
export const max = 1_000
export const leaseMs = 60_000

const key = (selector: string, algorithm: 'rsa' | 'ed25519') => ({
  selector,
  algorithm,
  publicRecord: `v=DKIM1; k=${algorithm}; p=${selector}`,
  sealed: { secretId: 's1', box: `sealed-${selector}` },
})

export const domain = (over: Partial<SendingDomain> = {}): SendingDomain => ({
  ...newDomain(
    { id: newId('dom'), workspace: 'ws_1', name: 'example.com', token: 'token' },
    [key('prr1', 'rsa'), key('pre1', 'ed25519')],
    1_000,
  ),
  ...over,
})

/** A document with every field set. */
export const fullDomain = (over: Partial<SendingDomain> = {}): SendingDomain => {
  const record = { type: 'TXT' as const, status: 'wrong' as const, found: ['a', 'ü “b”'], problem: 'Replace it.' }
  return domain({
    status: 'warning',
    subdomains: false,
    verifiedAt: 2_000,
    warningSince: 3_000,
    watchedSince: 3_000,
    returnPathVerified: true,
    keys: [
      { ...key('prr2', 'rsa'), state: 'active', shownAt: 1_500, activeAt: 2_000, retiredAt: null },
      { ...key('prr1', 'rsa'), sealed: null, state: 'retiring', shownAt: 1_000, activeAt: 1_100, retiredAt: 2_000 },
    ],
    lastCheck: {
      at: 3_000,
      records: [
        { ...record, purpose: 'dkim', name: 'prr2._domainkey.example.com', foundAt: 2_000 },
        { ...record, purpose: 'dmarc', name: '_dmarc.example.com', foundAt: null, advised: 'v=DMARC1; p=none' },
      ],
    },
    events: [{ id: newId('evt'), sequence: 1, type: 'domain.verified', at: 2_000 }],
    ...over,
  })
}

/** Inserts a domain that is due at its creation. */
export const inserted = async (store: DomainStore, over: Partial<SendingDomain> = {}): Promise<SendingDomain> => {
  const one = domain(over)
  await store.insert(one, 1_000, max, anEntry())
  return one
}

/** Writes a domain with the fence that it has. */
export const rewrite = async (
  store: DomainStore,
  next: SendingDomain,
  nextCheckAt = 1_000,
): Promise<'written' | 'lost' | 'taken'> => {
  const stored = await store.get(next.workspace, next.id)
  return stored ? store.write(next.id, stored.fence, { domain: next, nextCheckAt }, []) : 'lost'
}

export const namesOf = (domains: readonly { domain: SendingDomain }[]): string[] =>
  domains.map(({ domain: { name } }) => name)

/** Returns what a store reads of a domain for sending. */
export const senderDomainOf = ({ id, name, subdomains, returnPathVerified }: SendingDomain): SenderDomain => ({
  id,
  name,
  subdomains,
  returnPathVerified,
})
