import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import { checkAfterChange } from '@postrider/domain/domains/life.ts'
import { backoffMs, backoffs } from '@postrider/kit/retry.ts'
import { busyFault, retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { type Deps, readStored } from './deps.ts'

type ChangeDeps = Pick<Deps, 'domains' | 'now' | 'pause' | 'random'>

/**
 * Change of a domain by a person. The next check is made at `checkAt` at the latest; null: it stays. `audit` absent: a
 * check shows what it changes.
 */
export type Change = { domain: SendingDomain; checkAt: number | null; audit?: AuditEntry }

/**
 * Changes a domain by one guarded write. It wins against a check that runs, which folds its result into the domain as
 * it then is.
 * @param change returns what to write, or null for no change. It may run again, on the document as it then is
 * @throws Fault `not_found`; `unavailable`: others kept changing the domain
 */
export const changeDomain = (
  { domains, now, pause, random }: ChangeDeps,
  domainKey: { workspace: string; id: string },
  change: (domain: SendingDomain) => Promise<Change | null> | Change | null,
): Promise<{ before: SendingDomain; after: SendingDomain }> =>
  retryOnConflict(
    async () => {
      const stored = await readStored({ domains }, domainKey)
      const { domain: before, fence } = stored
      const next = await change(before)
      if (next === null) return { before, after: before }
      const written = { domain: next.domain, nextCheckAt: checkAfterChange(stored, next.checkAt, now()) }
      const entries = next.audit ? [next.audit] : []
      if ((await domains.write(before.id, fence, written, entries)) === 'written') return { before, after: next.domain }
      return undefined
    },
    {
      rounds: 'plainRecord',
      onBusy: () => busyFault('domain'),
      pause: (round) => pause(backoffMs(backoffs.lease, round, random)),
    },
  )
