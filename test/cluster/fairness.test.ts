import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fairTenants, type Tenants } from '../faults/fairTenants.ts'
import { shortOrLong } from '../faults/random.ts'
import { answered, rawMail, type Tenant, whenServed } from '../support/client.ts'
import { until } from '../support/until.ts'
import { useCluster } from './shared.ts'

const busyCount = shortOrLong(1_000, 20_000)

describe(`tenant that queues ${busyCount} marketing emails on a cluster (I26)`, () => {
  const system = useCluster()

  const withAddress = async (): Promise<Tenant> => {
    const tenant = await system().client.tenant()
    const json = { postal_address: '1 Main Street, Springfield' }
    const response = await whenServed(() => tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json }))
    assert.equal(response.status, 200, response.text)
    return tenant
  }

  /** Returns a function that returns the `X-Test-Id` of each email that arrives at the sink from now on, in order. */
  const arrivals = () => {
    const ids: string[] = []
    let read = system().sink.messages.length
    return (): readonly string[] => {
      for (const { messages } = system().sink; read < messages.length; read++) {
        const mailId = /^X-Test-Id: *(\S+)/im.exec(messages[read]?.raw.toString('latin1', 0, 2_000) ?? '')?.[1]
        if (mailId) ids.push(mailId)
      }
      return ids
    }
  }

  it('does not delay the mail of another tenant', async function () {
    this.timeout(shortOrLong(300_000, 600_000))
    const { cluster, script } = system()
    const dispatchers = cluster.of('dispatcher')
    const tenants = { busy: await withAddress(), other: await withAddress() }
    const submit: Tenants['submit'] = async (tenant, category) => {
      const id = randomUUID()
      const mail = rawMail({ category, headers: { 'X-Test-Id': id } })
      const response = await answered(() => tenants[tenant].send(mail, { 'idempotency-key': id }))
      assert.equal(response.status, 202, response.text)
      return id
    }
    using stack = new DisposableStack()
    const answering = Promise.withResolvers<void>()
    stack.defer(answering.resolve)
    script(({ at }) => (at === 'dot' ? { after: answering.promise.then(() => pause(20)) } : null))
    await Promise.all(dispatchers.map((one) => one.stop()))
    const start = async () => void (await Promise.all(dispatchers.map((one) => one.start())))
    const tenantsOfCluster = { submit, start, answer: answering.resolve, delivered: arrivals() }
    const { transactional, marketing } = await fairTenants(tenantsOfCluster, { busyCount })
    // In the order of acceptance all emails of the busy tenant would be delivered first.
    assert.ok(transactional < busyCount / 4, `${transactional} of ${busyCount} left before transactional mail`)
    assert.ok(marketing < busyCount / 2, `${marketing} of ${busyCount} left before marketing mail`)
    const left = async () => (await tenants.busy.list('?status=queued&limit=1')).data.length
    await until('all mail of the busy tenant has left', async () => ((await left()) === 0 ? true : undefined))
  })
})
