import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** After this time a suspension has taken effect in every dispatcher. */
const effectMs = 5_000
const aheadMs = effectMs + 2_000

type Mail = { id: string; to: string }
type Suspended = {
  /** The time at which its mail is due. */
  at: number
  tenant: Tenant
  test: Awaited<ReturnType<Tenant['makeKey']>>
  first: Mail
  second: Mail
  canceled: Mail
  expiring: Mail
  /** The id of its test mail. */
  simulated: string
}

describe('suspension of a workspace', () => {
  const system = useSystem()

  const suspend = async (tenant: Tenant, suspended: boolean): Promise<void> => {
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    const response = await system().client.withOperatorToken().call({ method: 'PATCH', path, json: { suspended } })
    assert.equal(response.status, 200, response.text)
  }

  const scheduled = async (tenant: Tenant, at: number, over: Record<string, unknown> = {}) => {
    const to = fresh()
    const response = await tenant.send(rawMail({ to: [to], scheduled_at: new Date(at).toISOString(), ...over }))
    assert.equal(response.status, 202, response.text)
    return { id: response.body.id, to }
  }

  /**
   * Schedules mail of a new workspace and suspends it. If a busy machine needs so long that the mail may be due before
   * the suspension takes effect, another workspace schedules it later.
   */
  const suspendInTime = async (ms: number): Promise<Suspended> => {
    const tenant = await system().client.tenant()
    const test = await tenant.makeKey({ name: 'test', mode: 'test' })
    const at = Date.now() + ms
    const mails = [await scheduled(tenant, at), await scheduled(tenant, at + 500), await scheduled(tenant, at)] as const
    const [first, second, canceled] = mails
    const expiring = await scheduled(tenant, at, { expires_in: `PT${Math.ceil(ms / 1_000) + 2}S` })
    const json = rawMail({ scheduled_at: new Date(at).toISOString() })
    const simulated = await test.call<EmailRecord>({ path: '/api/v1/emails', json })
    assert.equal(simulated.status, 202)
    await suspend(tenant, true)
    if (Date.now() + effectMs > at) return suspendInTime(2 * ms)
    return { at, tenant, test, first, second, canceled, expiring, simulated: simulated.body.id }
  }

  it('stops its queued and scheduled mail, which fails when it expires, can be canceled, and leaves on resuming', async function suspendSuite() {
    const other = await system().client.tenant()
    const { at, tenant, test, first, second, canceled, expiring, simulated } = await suspendInTime(aheadMs)
    const simulatedStatus = async (): Promise<string> =>
      (await test.call<EmailRecord>({ path: `/api/v1/emails/${simulated}` })).body.status
    assertProblem(await tenant.send(rawMail()), 403, 'forbidden')
    // An invitation is mail too, to any address.
    const invitation = { path: '/api/v1/members/invitations', json: { email: fresh(), role: 'viewer' } }
    assertProblem(await tenant.session.call(invitation), 403, 'forbidden')

    const control = await scheduled(other, at + 1_000)
    await system().receiver.waitFor(control.to)
    const expired = await tenant.until(expiring.id, isFinal)
    assert.equal(expired.status, 'failed')
    for (const { id, to } of [first, second, canceled]) {
      assert.equal(system().receiver.to(to).length, 0)
      assert.equal((await tenant.get(id)).attempts?.length, 0)
    }
    const cancel = { method: 'POST', path: `/api/v1/emails/${canceled.id}/cancel` }
    assert.equal((await tenant.session.call(cancel)).status, 200)
    assert.equal(await simulatedStatus(), 'scheduled')

    await suspend(tenant, false)
    for (const { id, to } of [first, second]) {
      await system().receiver.waitFor(to)
      assert.equal((await tenant.until(id, isFinal)).status, 'delivered')
      assert.equal(system().receiver.to(to).length, 1)
    }
    await until('the test mail is delivered', async () =>
      (await simulatedStatus()) === 'delivered' ? true : undefined,
    )
    for (const { to } of [canceled, expiring]) assert.equal(system().receiver.to(to).length, 0)
  })
})
