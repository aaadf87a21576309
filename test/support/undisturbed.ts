import type { Cluster } from '../cluster/cluster.ts'
import type { Client } from './client.ts'
import { until } from './until.ts'

/**
 * Returns how many requests the processes of a cluster limited by their own share so far, because Redis did not respond
 * within 50 ms.
 */
const localDecisions = async (cluster: Cluster): Promise<number> => {
  const counts = [...cluster.of('gateway'), ...cluster.of('accounts')].map(async ({ opsUrl }) => {
    const text = await (await fetch(`${opsUrl}/metrics`)).text()
    return Number(/^postrider_rate_limiter_local_total (\d+)/m.exec(text)?.[1])
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/**
 * Returns the first result of `measure` in which Redis decided each limited request and the client repeated none:
 * another one may differ from the limit on a busy machine. `measure` returns undefined if it was too slow to have a
 * result. One process decides each request itself.
 */
export const undisturbed = async <T>(
  { cluster, client }: { cluster: Cluster | null; client: Pick<Client, 'repeated'> },
  measure: () => Promise<T | undefined>,
): Promise<T> => {
  const disturbances = async (): Promise<number> =>
    client.repeated() + (cluster === null ? 0 : await localDecisions(cluster))
  return until('Redis decides each request of a measurement', async () => {
    const before = await disturbances()
    const found = await measure()
    return (await disturbances()) === before ? found : undefined
  })
}
