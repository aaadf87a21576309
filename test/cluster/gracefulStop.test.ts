import { shortOrLong } from '../faults/random.ts'
import { assertAllArrivedOnce, load, restartInTurn } from './load.ts'
import { useCluster } from './shared.ts'

/** The number of processes of each service that are restarted, at most all of them. */
const restarts = shortOrLong(1, 4)

describe('rolling restart under load (I25)', () => {
  const system = useCluster()

  it('refuses no request, ends each process with 0 in time, and each email arrives once', async function () {
    this.timeout(shortOrLong(300_000, 600_000))
    const { cluster, client, sink } = system()
    const tenant = await client.tenant()
    await using running = load(tenant)
    await restartInTurn(cluster.members.filter(({ number }) => number <= restarts))
    await assertAllArrivedOnce(await running.stop(), { cluster, tenant, sink }, restarts)
  })
})
