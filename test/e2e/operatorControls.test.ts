import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import type { Caller, Tenant } from '../support/client.ts'
import type { ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type Controls = { plan: string; limits: Record<string, unknown>; note: string; suspended: boolean }

describe('settings of a workspace by the operator', () => {
  const system = useSystem()
  let tenant: Tenant
  let path: string
  const operator = (): Caller => system().client.withOperatorToken()
  before(async () => {
    tenant = await system().client.tenant()
    path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
  })

  const read = async (): Promise<Controls> => (await operator().call<Controls>({ path })).body
  const change = (json: unknown, at = path) => operator().call<Controls>({ method: 'PATCH', path: at, json })
  const invoices = async (): Promise<number> => {
    const { body } = await tenant.session.call<ListRecord<unknown>>({ path: '/api/v1/billing/invoices' })
    return body.data.length
  }
  const entries = async (): Promise<number> => {
    const query = `workspace=${tenant.workspace.id}&limit=100`
    const { body } = await operator().call<ListRecord<unknown>>({ path: `/api/v1/operator/audit-log?${query}` })
    return body.data.length
  }

  // A note and limits of sends are stored by two services, one after the other.
  it('change nothing when one of them is refused', async () => {
    const before = await read()
    const refused: unknown[] = [
      { note: 'changed', limits: { monthly: 1_000_000_000_001 } },
      { note: 'changed', limits: { daily: 1.5 } },
      { note: 'changed', plan: 'none' },
      { limits: { monthly: 7, rate: -1 } },
      { limits: { monthly: 7 }, note: 'x'.repeat(2_001) },
      { plan: 'pro', reason: 'not suspended' },
    ]
    for (const json of refused) {
      const response = await change(json)
      assertProblem(response, 422, 'validation_failed')
      assert.deepEqual(await read(), before, JSON.stringify(json))
    }
    const unknown = '/api/v1/operator/workspaces/ws_01h2xcejqtf2nbrexx3vqjhp41'
    assertProblem(await change({ note: 'changed', limits: { monthly: 7 } }, unknown), 404, 'not_found')
  })

  it('are stored once, with their charges and entries, when a request is repeated', async () => {
    const json = { note: 'bigger', plan: 'pro', limits: { monthly: 7, rate: 5 } }
    const first = await change(json)
    assert.equal(first.status, 200, first.text)
    const { plan, note, limits } = first.body
    assert.deepEqual([plan, note, limits['monthly'], limits['rate']], ['pro', 'bigger', 7, 5])
    const counts = [await invoices(), await entries()]
    const again = await change(json)
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.deepEqual([await invoices(), await entries()], counts)
  })

  it('change nothing when the deletion of the workspace is scheduled and the mail is to leave again', async () => {
    assert.equal((await operator().call({ method: 'DELETE', path })).status, 200)
    const before = await read()
    assertProblem(await change({ suspended: false, note: 'resumed', limits: { monthly: 8 } }), 409, 'conflict')
    assert.deepEqual(await read(), before)
    assert.equal((await operator().call({ method: 'POST', path: `${path}/restore` })).status, 200)
  })
})
