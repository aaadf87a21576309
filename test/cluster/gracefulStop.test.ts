import { numbers } from '../faults/random.ts'
import { assertAllArrivedOnce, load, restartOneByOne } from './load.ts'
import { serviceNames } from './member.ts'
import { useCluster } from './shared.ts'

/** Of each service, as far as it has so many. */
const restarts = numbers(1, 4)

describe('a cluster whose processes are restarted one after the other, under load (I25)', () => {
  const system = useCluster()

  it('no request is refused, each process ends with 0 in time, each mail arrives once', async function () {
    this.timeout(numbers(180_000, 600_000))
    const { cluster, client, sink } = system()
    const tenant = await client.tenant()
    const running = load(tenant)
    for (const service of serviceNames) await restartOneByOne(cluster.of(service).slice(0, restarts))
    await assertAllArrivedOnce(await running.stop(), { cluster, tenant, sink }, restarts)
  })
})
