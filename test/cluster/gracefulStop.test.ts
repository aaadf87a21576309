import { shortOrLong } from '../faults/random.ts'
import { assertAllArrivedOnce, load, restartInTurn } from './load.ts'
import { useCluster } from './shared.ts'

/** Of each service, as far as it has so many. */
const restarts = shortOrLong(1, 4)

describe('a cluster whose processes are restarted one after the other, under load (I25)', () => {
  const system = useCluster()

  it('no request is refused, each process ends with 0 in time, each mail arrives once', async function () {
    this.timeout(shortOrLong(180_000, 600_000))
    const { cluster, client, sink } = system()
    const tenant = await client.tenant()
    await using running = load(tenant)
    await restartInTurn(cluster.members.filter(({ number }) => number <= restarts))
    await assertAllArrivedOnce(await running.stop(), { cluster, tenant, sink }, restarts)
  })
})
