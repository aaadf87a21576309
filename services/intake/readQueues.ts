import type { Intake } from '@postrider/contracts/services.ts'
import { type Destination, destinationsOf } from '@postrider/domain/email/destinations.ts'
import { lanes } from '@postrider/domain/email/email.ts'
import type { QueueKind } from '@postrider/domain/fairness/admission.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

type QueuesDeps = {
  emails: Pick<EmailStore, 'backlog' | 'queueCounts' | 'countParked' | 'firstDue'>
  now: Clock
}

/**
 * Maximum number of emails of each lane by which destinations are counted: reading them must not block a store in this
 * process.
 */
export const sampleLimit = 200
const maxDestinations = 100
const maxCounted = 10_000

/** Returns the method that shows the operator what waits. */
export const readQueues =
  ({ emails, now }: QueuesDeps): Intake['GetQueues'] =>
  async () => {
    const at = now()
    const [backlog, counts, parked, ...samples] = await Promise.all([
      emails.backlog(at),
      emails.queueCounts(),
      emails.countParked(maxCounted),
      ...lanes.map((lane) => emails.firstDue(lane, sampleLimit)),
    ])
    const sample = samples.flat()
    const sum = (ofLane: string, of: 'emails' | 'bytes', kind?: QueueKind): number =>
      counts
        .filter((one) => one.lane === ofLane && (kind === undefined || one.kind === kind))
        .reduce((total, one) => total + one[of], 0)
    return {
      lanes: backlog.map(({ lane, due, oldestDueAt }) => ({
        lane,
        due,
        oldest_due_at: oldestDueAt,
        waiting: sum(lane, 'emails'),
        scheduled: sum(lane, 'emails', 'scheduled'),
        test: sum(lane, 'emails', 'test'),
        bytes: sum(lane, 'bytes'),
      })),
      parked,
      destinations: destinationsOf(sample, at).slice(0, maxDestinations).map(shownDestination),
      sampled: sample.length,
      sample_limit: sampleLimit,
    }
  }

const shownDestination = ({ nextAt, ...counts }: Destination) => ({ ...counts, next_at: nextAt })
