import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assertProblem } from '../support/assertProblem.ts'
import { type Client, rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import type { EmailRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import { useCluster } from './shared.ts'

// A request that failed with 503 did not release the lease of its key: a retry got 409 for 30 s although nothing ran.
describe('a send with an Idempotency-Key that failed', () => {
  const system = useCluster()

  const sender = (tenant: Tenant, gateways: readonly Client[]) => {
    let next = 0
    return (key: string, mail: object): Promise<HttpResponse<EmailRecord>> => {
      const gateway = gateways[next++ % gateways.length] ?? assert.fail('no gateway')
      return gateway
        .withKey(tenant.api.key)
        .call<EmailRecord>({ path: '/api/v1/emails', json: mail, headers: { 'idempotency-key': key } })
    }
  }

  /** Repeats a send while it gets 503, which a busy machine may cause; no other refusal is permitted. */
  const repeated = (send: () => Promise<HttpResponse<EmailRecord>>): Promise<HttpResponse<EmailRecord>> =>
    until('the send is accepted', async () => {
      const response = await send()
      if (response.status === 202) return response
      assertProblem(response as never, 503, 'unavailable')
      return undefined
    })

  it('because the quota was unavailable is repeated at every gateway without a 409', async () => {
    const { cluster, client, gateways } = system()
    const tenant = await client.tenant()
    const send = sender(tenant, gateways)
    const [key, mail] = [randomUUID(), rawMail()]
    const ledgers = cluster.of('quota')
    await Promise.all(ledgers.map((ledger) => ledger.stop()))
    try {
      for (const _ of gateways) {
        const response = await send(key, mail)
        assertProblem(response as never, 503, 'unavailable')
        assert.ok(Number(response.headers['retry-after']) > 0)
      }
    } finally {
      await Promise.all(ledgers.map((ledger) => ledger.start()))
    }
    const { body } = await repeated(() => send(key, mail))
    assert.equal((await repeated(() => send(key, mail))).body.id, body.id)
    assert.equal((await tenant.list()).data.length, 1)
  })

  // The gateway repeated the call, and the other intake reported that the first request was still running.
  it('because its intake was killed is executed by the other intake, under the same id', async () => {
    const { cluster, client, gateways, records } = system()
    const tenant = await client.tenant()
    const send = sender(tenant, gateways)
    const [intake = assert.fail('no intake')] = cluster.of('intake')
    const ledgers = cluster.of('quota')
    const sends = Array.from({ length: 16 }, () => ({ key: randomUUID(), mail: rawMail() }))
    const keys = records.collection<{ _id: string; emailId: string }>('idempotency_keys')
    const claims = () => keys.find({ _id: { $regex: tenant.workspace.id } }).toArray()
    for (const ledger of ledgers) ledger.pause()
    const answering = Promise.all(sends.map(({ key, mail }) => send(key, mail)))
    await until('each key is claimed', async () => ((await claims()).length === sends.length ? true : undefined))
    const ids = new Map((await claims()).map(({ _id, emailId }) => [_id.split(' ').at(-1), emailId]))
    await intake.kill9()
    for (const ledger of ledgers) ledger.resume()
    const responses = await answering
    for (const [index, { key, mail }] of sends.entries()) {
      const first = responses[index] ?? assert.fail()
      if (first.status !== 202) assertProblem(first as never, 503, 'unavailable')
      const { body } = first.status === 202 ? first : await repeated(() => send(key, mail))
      assert.equal(body.id, ids.get(key))
    }
    assert.equal((await tenant.list()).data.length, sends.length)
    await intake.start()
  })
})
