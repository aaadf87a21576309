import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { fairTenants, type Tenants } from '../faults/fairTenants.ts'
import { numbers } from '../faults/random.ts'
import { rawMail, type Tenant } from '../support/client.ts'
import { until } from '../support/until.ts'
import { useCluster } from './shared.ts'

const busyCount = numbers(1_000, 20_000)
const atOnce = 32

describe(`a tenant that queues ${busyCount} marketing mails, on a cluster (I26)`, () => {
  const system = useCluster()

  const withAddress = async (): Promise<Tenant> => {
    const tenant = await system().client.tenant()
    const json = { postal_address: '1 Main Street, Springfield' }
    const answer = await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json })
    assert.equal(answer.status, 200, answer.text)
    return tenant
  }

  /** When each mail came to the sink, by its `X-Test-Id`. */
  const arrivals = () => {
    const at = new Map<string, number>()
    let read = system().sink.messages.length
    return (id: string): number | undefined => {
      for (const { messages } = system().sink; read < messages.length; read++) {
        const { raw, at: arrivedAt = 0 } = messages[read] ?? {}
        const mailId = /^X-Test-Id: *(\S+)/im.exec(raw?.toString('latin1', 0, 2_000) ?? '')?.[1]
        if (mailId) at.set(mailId, arrivedAt)
      }
      return at.get(id)
    }
  }

  it('delays another’s transactional mail by less than 2 s', async function () {
    this.timeout(numbers(120_000, 600_000))
    const { cluster, script } = system()
    const dispatchers = cluster.of('dispatcher')
    const tenants = { busy: await withAddress(), other: await withAddress() }
    const submit: Tenants['submit'] = async (tenant, category, count) => {
      const ids = Array.from({ length: count }, () => randomUUID())
      const worker = async (number: number) => {
        for (let n = number; n < count; n += atOnce) {
          const mail = rawMail({ category, headers: { 'X-Test-Id': ids[n] } })
          assert.equal((await tenants[tenant].send(mail)).status, 202)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, (_, number) => worker(number)))
      return ids
    }
    script(({ at }) => (at === 'dot' ? { delayMs: 20 } : null))
    const deliveredAt = arrivals()
    const usual = await fairTenants({ submit, deliveredAt }, () => {}, { busyCount: 0 })

    await Promise.all(dispatchers.map((one) => one.stop()))
    const start = async () => void (await Promise.all(dispatchers.map((one) => one.start())))
    const { busyLeft, ...took } = await fairTenants({ submit, deliveredAt }, start, { busyCount })
    assert.ok(busyLeft > busyCount / 10, `only ${busyLeft} of the busy tenant's mail was left: nobody had to wait`)
    const delayedMs = took.transactionalMs - usual.transactionalMs
    assert.ok(delayedMs < 2_000, `transactional mail was delayed by ${delayedMs} ms`)
    const behindMs = took.marketingMs - usual.marketingMs
    assert.ok(behindMs < 4_000, `marketing mail was delayed by ${behindMs} ms`)
    const left = async () => (await tenants.busy.list('?status=queued&limit=1')).data.length
    await until('all of it has left', async () => ((await left()) === 0 ? true : undefined), 60_000)
  })
})
