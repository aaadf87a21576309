import { maxWaiting } from '@postrider/domain/webhooks/life.ts'
import { cachedRead } from '@postrider/kit/cachedRead.ts'
import type { Deps } from './deps.ts'

/** Returns whether an endpoint has as many waiting deliveries as it may, by a count that is at most a second old. */
export type IsFull = (endpoint: string) => Promise<boolean>

const [freshMs, max] = [1_000, 10_000]

export const fullEndpoints = ({ deliveries, now }: Pick<Deps, 'deliveries' | 'now'>): IsFull => {
  const counts = cachedRead({ read: (endpoint) => deliveries.countWaiting(endpoint, maxWaiting), freshMs, max, now })
  return async (endpoint) => (await counts.get(endpoint)) >= maxWaiting
}
