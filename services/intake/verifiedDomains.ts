import type { SenderDomain } from '@postrider/domain/domains/domain.ts'
import { batcher } from '@postrider/kit/batcher.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { ttlCache } from '@postrider/kit/ttlCache.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'

type Domains = readonly SenderDomain[]

/** The domains from which a workspace may send, as this process last read them. */
export type VerifiedDomains = {
  /** Returns the domains by a read that is at most 5 s old; null: there was no such read, or the workspace had none. */
  known(workspace: string): Domains | null
  /**
   * Reads the domains by a read that begins after the call, so that a domain is known as soon as it is verified.
   * @throws Fault `unavailable`
   */
  read(workspace: string): Promise<Domains>
}

export type VerifiedDomainsOptions = {
  domains: Pick<DomainStore, 'senders'>
  now: Clock
}

/** Mail of a domain that fails or is deleted is accepted for so long; dispatchers do not send it. */
const freshMs = 5_000
/** Maximum number of workspaces whose domains are in memory. */
const maxWorkspaces = 5_000
/** Batches of reads at the same time; requests that arrive while these run share the next one. */
const maxBatchesInFlight = 4

export const verifiedDomains = ({ domains, now }: VerifiedDomainsOptions): VerifiedDomains => {
  const known = ttlCache<Domains>({ freshMs, max: maxWorkspaces, now })

  const readOne = async (workspace: string): Promise<Domains> => {
    const at = now()
    const found = await domains.senders(workspace)
    if (found.length > 0) known.set(workspace, found, at)
    else known.delete(workspace)
    return found
  }

  const read = batcher<string, Domains>({
    max: 100,
    maxInFlight: maxBatchesInFlight,
    run: (workspaces) => {
      const reads = new Map([...new Set(workspaces)].map((workspace) => [workspace, readOne(workspace)]))
      return Promise.all(workspaces.map((workspace) => reads.get(workspace) ?? readOne(workspace)))
    },
  })

  return { known: known.get, read }
}
