import type { Lane } from '@postrider/domain/email/email.ts'
import { until } from '../support/until.ts'

export type Tenants = {
  /** Has mail accepted, one recipient each. @returns its ids */
  submit(tenant: 'busy' | 'other', lane: Lane, count: number): Promise<string[]>
  /** When an email was delivered, in milliseconds since the epoch; undefined: not yet. */
  deliveredAt(id: string): number | undefined | Promise<number | undefined>
}

export type Fairness = {
  /** The longest that the other tenant's mail of a lane took. */
  transactionalMs: number
  marketingMs: number
  /** How much of the busy tenant's mail was still to come when the last of the other's was delivered. */
  busyLeft: number
}

const otherCount = 10

/**
 * One tenant queues 20,000 marketing mails; then another sends ten of each lane.
 * @param start called between; once it is done mail must leave
 */
export const fairTenants = async (
  { submit, deliveredAt }: Tenants,
  start: () => void | Promise<void>,
  { busyCount = 20_000, deadlineMs = 30_000 } = {},
): Promise<Fairness> => {
  const busy = await submit('busy', 'marketing', busyCount)
  await start()
  const sentAt = Date.now()
  const lanes = await Promise.all([
    submit('other', 'marketing', otherCount),
    submit('other', 'transactional', otherCount),
  ])
  const [marketingMs = 0, transactionalMs = 0] = await Promise.all(
    lanes.map(async (ids, lane) => {
      const times = ids.map((id) => until(`mail ${id} of lane ${lane} is delivered`, () => deliveredAt(id), deadlineMs))
      return Math.max(...(await Promise.all(times))) - sentAt
    }),
  )
  const ends = await Promise.all(busy.map((id) => deliveredAt(id)))
  return { transactionalMs, marketingMs, busyLeft: ends.filter((at) => at === undefined).length }
}
