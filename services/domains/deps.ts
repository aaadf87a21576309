import type { DomainRecord } from '@postrider/contracts/services.ts'
import type { SendingDomain, StoredDomain } from '@postrider/domain/domains/domain.ts'
import type { PlatformSettings } from '@postrider/domain/domains/platform.ts'
import { recordViews } from '@postrider/domain/domains/recordViews.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { SecretBox } from '@postrider/kit/secretBox.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { DnsLookup, DomainStore } from '@postrider/ports/domains.ts'
import type { Budgets } from './budgets.ts'
import type { KeyMaker } from './makeKeys.ts'
import type { DomainsMetrics } from './metrics.ts'

/** Dependencies of every operation of this service. */
export type Deps = {
  domains: DomainStore
  /** Each check begins with its own bounds and without what an earlier one found. */
  dns: { begin(): DnsLookup }
  box: SecretBox
  makeKeys: KeyMaker
  budgets: Budgets
  /** The store's clock. */
  now: Clock
  /** Uniform in [0, 1). */
  random: () => number
  pause(ms: number): Promise<unknown>
  /** Compares the answers of DNS with records, which may be long. */
  slices: Slices
  settings: PlatformSettings
  limits: DomainLimits
  log: Log
  metrics: DomainsMetrics
}

/** Limits of this service. */
export type DomainLimits = {
  /** Maximum number of domains of a workspace. */
  domains: number
  /** Age at which a key of a verified domain is rotated; null: only on request. */
  rotationMs: number | null
  /** Checks of due domains at the same time. */
  checks: number
  /** How long such a check may take while other domains wait for its slot. */
  patienceMs: number
  /** Checks that people requested, which run at the same time, of all workspaces and of one. */
  requested: number
  requestedOfWorkspace: number
  /** How long a request waits for its check. The check itself may take longer. */
  requestMs: number
}

/** Limits that the configuration does not set. */
export const defaultDomainLimits: Omit<DomainLimits, 'domains' | 'rotationMs'> = {
  checks: 64,
  patienceMs: 3_000,
  requested: 32,
  requestedOfWorkspace: 4,
  requestMs: 2_500,
}

/** @throws Fault `not_found`, also for a domain of another workspace */
export const readStored = async (
  { domains }: { domains: Pick<DomainStore, 'get'> },
  { workspace, id }: { workspace: string; id: string },
): Promise<StoredDomain> => {
  const stored = isId('dom', id) ? await domains.get(workspace, id) : null
  if (stored) return stored
  throw unknownDomainFault()
}

export const unknownDomainFault = (): Fault =>
  new Fault('not_found', 'The workspace has no sending domain with this id.')

/** Returns a domain as the API shows it. */
export const domainRecord = (domain: SendingDomain, settings: PlatformSettings): DomainRecord => ({
  id: domain.id,
  name: domain.name,
  status: domain.status,
  subdomains: domain.subdomains,
  createdAt: domain.createdAt,
  verifiedAt: domain.verifiedAt,
  checkedAt: domain.lastCheck?.at ?? null,
  records: recordViews(domain, settings),
})
