import assert from 'node:assert/strict'
import { type Client, rawMail, whenServed } from '../support/client.ts'
import { operatorToken } from '../support/standalone.ts'
import { takesEffect } from '../support/takesEffect.ts'
import { until } from '../support/until.ts'
import { useCluster } from './shared.ts'

/** The time limit in the API documentation. */
const propagationMs = 5_000

const keys = '/api/v1/api-keys'

describe('change at one gateway', () => {
  const system = useCluster()

  /**
   * Sends requests to every gateway until all return a status, and asserts that they do so in time and continue. A
   * gateway without time for a request returns 503, which is neither the old nor the new response.
   */
  const allAnswer = async (status: number, request: (gateway: Client) => Promise<{ status: number }>) => {
    const answered = (gateway: Client) =>
      until('a gateway has time for a request', async () => {
        const response = await request(gateway)
        return response.status === 503 ? undefined : response
      })
    const check = async () => {
      const responses = await Promise.all(system().gateways.map(answered))
      return responses.every((one) => one.status === status) ? true : undefined
    }
    await takesEffect(`every gateway returns ${status}`, propagationMs, check)
    for (let round = 0; round < 3; round++) assert.ok(await check())
  }

  const sendsWith = (key: string) => (gateway: Client) =>
    gateway.withKey(key).call({ path: '/api/v1/emails', json: rawMail() })

  const firstGateway = (): Client => {
    const [first] = system().gateways
    if (!first) throw new Error('there is no gateway')
    return first
  }

  it('makes a revoked key invalid there immediately, and at every other gateway within 5 s', async () => {
    const tenant = await system().client.tenant()
    await allAnswer(202, sendsWith(tenant.api.key))
    const { body } = await whenServed(() => tenant.session.call<{ data: { id: string }[] }>({ path: keys }))
    const { cookie, record } = tenant.session
    const headers = { cookie, 'x-csrf-token': record.csrf_token }
    const own = `${keys}/${body.data[0]?.id}`
    const revoked = await whenServed(() => firstGateway().call({ method: 'DELETE', path: own, headers }))
    assert.equal(revoked.status, 204, revoked.text)
    assert.equal((await whenServed(() => sendsWith(tenant.api.key)(firstGateway()))).status, 401)
    await allAnswer(401, sendsWith(tenant.api.key))
  })

  it('suspends and resumes a workspace at all gateways within 5 s', async () => {
    const tenant = await system().client.tenant()
    await allAnswer(202, sendsWith(tenant.api.key))
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    const operator = firstGateway().withOperatorToken(operatorToken)
    for (const [suspended, status] of [
      [true, 403],
      [false, 202],
    ] as const) {
      assert.equal((await whenServed(() => operator.call({ method: 'PATCH', path, json: { suspended } }))).status, 200)
      await allAnswer(status, sendsWith(tenant.api.key))
    }
  })

  it('ends a session at all gateways immediately when the user logs out', async () => {
    const { session } = await system().client.tenant()
    const { cookie, record } = session
    const listKeys = (gateway: Client) => whenServed(() => gateway.call({ path: keys, headers: { cookie } }))
    await allAnswer(200, listKeys)
    const headers = { cookie, 'x-csrf-token': record.csrf_token }
    const out = await whenServed(() => firstGateway().call({ method: 'POST', path: '/api/v1/auth/logout', headers }))
    assert.equal(out.status, 204, out.text)
    for (const { status } of await Promise.all(system().gateways.map(listKeys))) assert.equal(status, 401)
  })
})
