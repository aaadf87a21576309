import assert from 'node:assert/strict'
import { rawMail, whenServed } from '../support/client.ts'
import { hangMs, until } from '../support/until.ts'
import { useCluster } from './shared.ts'

type Health = {
  status: string
  parts: { name: string; status: string; processes: number | null; detail: string | null }[]
}

describe('dispatchers in the operator’s health', () => {
  const system = useCluster()

  /** Waits until this many dispatchers are counted. Each intake repeats its count after 5 s. */
  const counted = (wanted: number) => {
    let last: unknown
    return until(
      () => `${wanted} dispatchers are counted, not ${JSON.stringify(last)}`,
      async () => {
        const operator = system().client.withOperatorToken()
        const { status, text, body } = await whenServed(() =>
          operator.call<Health>({ path: '/api/v1/operator/health' }),
        )
        assert.equal(status, 200, text)
        const dispatcher = body.parts.find(({ name }) => name === 'dispatcher')
        last = dispatcher
        return dispatcher?.processes === wanted ? { ...dispatcher, whole: body.status } : undefined
      },
      hangMs,
      250,
    )
  }

  it('are the running ones, and the report shows when there is none', async function () {
    this.timeout(600_000)
    const { cluster, client } = system()
    const dispatchers = cluster.of('dispatcher')
    // Once another number was counted for two minutes: a dispatcher that stopped while it joined stayed a member of its
    // group.
    assert.equal((await counted(dispatchers.length)).status, 'ok')
    await Promise.all(dispatchers.map((one) => one.stop()))
    const none = await counted(0)
    assert.deepEqual([none.status, none.whole], ['failing', 'failing'])
    assert.match(none.detail ?? '', /^No dispatcher consumes a lane, so accepted mail waits/)
    const tenant = await client.tenant()
    const waiting = await whenServed(() => tenant.send(rawMail()))
    assert.equal(waiting.status, 202, waiting.text)
    await Promise.all(dispatchers.map((one) => one.start()))
    assert.equal((await counted(dispatchers.length)).status, 'ok')
    await tenant.until(waiting.body.id, ({ status }) => status === 'delivered')
  })
})
