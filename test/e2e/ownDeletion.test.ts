import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { rawMail, type Session } from '../support/client.ts'
import { colleague } from '../support/people.ts'
import { useSystem } from '../support/suite.ts'

const dayMs = 86_400_000
const path = '/api/v1/workspace'

type Deleted = { deletes_at: string | null; suspended: boolean }

describe('deletion of a workspace by its owner', () => {
  const system = useSystem()

  const remove = (session: Session, json: object) => session.call<Deleted>({ method: 'DELETE', path, json })

  it('needs an owner and their password', async () => {
    const tenant = await system().client.tenant()
    const admin = await colleague(system(), tenant, 'admin')
    assertProblem(await remove(admin.session, { password: tenant.password }), 403, 'forbidden')
    const wrong = await remove(tenant.session, { password: 'another horse battery staple' })
    assertProblem(wrong, 422, 'validation_failed', [{ path: 'password', code: 'wrong_password' }])
    assertProblem(await remove(tenant.session, {}), 422, 'validation_failed', [{ path: 'password' }])
    const { body } = await tenant.session.call<Deleted>({ path })
    assert.deepEqual([body.deletes_at, body.suspended], [null, false])
  })

  it('stops the mail immediately, is 7 days ahead, and only the operator cancels it', async () => {
    const tenant = await system().client.tenant()
    const [first, second] = [
      await remove(tenant.session, { password: tenant.password }),
      await remove(tenant.session, { password: tenant.password }),
    ]
    assert.equal(first.status, 200, first.text)
    assert.equal(first.body.suspended, true)
    const inMs = Date.parse(first.body.deletes_at ?? '') - Date.parse(String(first.headers['date']))
    assert.ok(Math.abs(inMs - 7 * dayMs) < 120_000, first.body.deletes_at ?? 'null')
    assert.equal(second.body.deletes_at, first.body.deletes_at)
    assertProblem(await tenant.send(rawMail()), 403, 'forbidden')

    const operator = system().client.withOperatorToken()
    const one = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    assert.equal((await operator.call({ method: 'POST', path: `${one}/restore` })).status, 200)
    const { body } = await tenant.session.call<Deleted>({ path })
    assert.deepEqual([body.deletes_at, body.suspended], [null, false])
    assert.equal((await tenant.send(rawMail())).status, 202)
  })
})
