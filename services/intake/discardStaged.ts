import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, isUnavailable } from '@postrider/kit/fault.ts'
import type { EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { StagedRoom } from './stagedRoom.ts'

type DiscardDeps = { emails: Pick<EmailBatches, 'discardBatch'>; staging?: Pick<StagedRoom, 'release'>; now: Clock }

/**
 * Removes the parts of a batch that is refused, or whose key has the response to another run, and ends their count. It
 * does not fail: the sweep removes parts that stay.
 * @param thrown why the batch is refused. A store that is unavailable gets no further request; the sweep removes the
 * parts.
 */
export const discardStaged = async (
  { emails, staging, now }: DiscardDeps,
  batch: { id: string } | null,
  thrown?: unknown,
): Promise<void> => {
  const isOutage = isUnavailable(thrown) && !(thrown instanceof Fault && thrown.expected)
  if (batch === null || isOutage) return
  const isRemoved = await emails.discardBatch(batch.id, now()).catch(() => false)
  if (isRemoved) staging?.release(batch.id)
}
