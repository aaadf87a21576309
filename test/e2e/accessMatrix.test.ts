import assert from 'node:assert/strict'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import { isAtLeast, type Role, roles } from '@postrider/domain/accounts/roles.ts'
import {
  type DocumentedOperation,
  type Foreign,
  isOperators,
  operationsOf,
  pathWith,
  rowOf,
} from '../support/accessTable.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, freshDomain, rawMail, type Session, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { colleague, invitations } from '../support/people.ts'
import type { ListRecord, ProblemRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

/** Ids of the right form that no record has. */
const unknownIds: Record<Foreign, string> = {
  email: 'em_01h2xcejqtf2nbrexx3vqjhp41',
  template: 'tpl_01h2xcejqtf2nbrexx3vqjhp41',
  domain: 'dom_01h2xcejqtf2nbrexx3vqjhp41',
  key: 'key_01h2xcejqtf2nbrexx3vqjhp41',
  member: 'usr_01h2xcejqtf2nbrexx3vqjhp41',
  invitation: 'inv_01h2xcejqtf2nbrexx3vqjhp41',
  workspace: 'ws_01h2xcejqtf2nbrexx3vqjhp41',
  invoice: 'in_01h2xcejqtf2nbrexx3vqjhp41',
  session: 'ses_01h2xcejqtf2nbrexx3vqjhp41',
  erasure: 'era_01h2xcejqtf2nbrexx3vqjhp41',
  webhook: 'wh_01h2xcejqtf2nbrexx3vqjhp41',
}

describe('access of a running service', () => {
  const system = useSystem()
  let tenant: Tenant
  let operations: DocumentedOperation[]
  const sessions = new Map<Role, Session>()

  before(async () => {
    tenant = await system().client.tenant()
    operations = operationsOf((await system().client.call({ path: '/api/v1/openapi.json' })).body)
    sessions.set('owner', tenant.session)
    for (const role of roles.slice(1)) sessions.set(role, (await colleague(system(), tenant, role)).session)
  })

  const callOperation = (caller: Caller, operation: DocumentedOperation, id = unknownIds.email) =>
    caller.call<ProblemRecord>({
      method: operation.method,
      path: pathWith(operation, id),
      ...(operation.body === undefined ? {} : { json: operation.body }),
    })

  it('every operation has a row', () => {
    for (const operation of operations) rowOf(operation)
  })

  for (const role of roles)
    it(`refuses a session of the role ${role} exactly the operations above it`, async () => {
      const session = sessions.get(role) ?? assert.fail()
      for (const operation of operations) {
        const row = rowOf(operation)
        if (row === 'open' || (!isOperators(row) && isAtLeast(role, row.least))) continue
        const response = await callOperation(session, operation)
        if (isOperators(row)) assertProblem(response, 401, 'unauthenticated')
        else assertProblem(response, 403, row.scopes.length > 0 ? 'insufficient_scope' : 'forbidden')
      }
    })

  for (const mode of ['live', 'test'])
    it(`refuses a ${mode} key each operation that its scope does not open`, async () => {
      for (const scope of scopes) {
        const key = await tenant.makeKey({ scopes: [scope], mode })
        for (const operation of operations) {
          const row = rowOf(operation)
          if (typeof row === 'string' || row.scopes.includes(scope)) continue
          assertProblem(
            await callOperation(key, operation),
            403,
            row.scopes.length === 0 ? 'session_required' : 'insufficient_scope',
          )
        }
      }
    })

  /** Makes a record of each kind in another workspace. */
  const foreignIds = async (other: Tenant): Promise<Record<Foreign, string>> => {
    const { body: email } = await other.send(rawMail({ scheduled_at: 'PT1H' }))
    const template = await other.template({ name: fresh(), subject: 's', text_body: 't' })
    const made = await Promise.all([
      other.session.call<{ id: string }>({ path: '/api/v1/domains', json: { name: freshDomain() } }),
      other.session.call<{ id: string }>({ path: invitations, json: { email: fresh(), role: 'viewer' } }),
    ])
    for (const { status, text } of made) assert.equal(status, 201, text)
    const [domain, invitation] = made.map(({ body }) => body.id)
    const erasing = { path: '/api/v1/erasures', json: { address: fresh() } }
    const erasure = await other.session.call<{ id: string }>(erasing)
    assert.equal(erasure.status, 202, erasure.text)
    const adding = { path: '/api/v1/webhooks', json: { url: 'https://example.com/hooks' } }
    const webhook = await other.session.call<{ id: string }>(adding)
    assert.equal(webhook.status, 201, webhook.text)
    const { record } = await other.makeKey()
    const upgrade = await other.session.call({ path: '/api/v1/billing/plan', json: { plan: 'pro' } })
    assert.equal(upgrade.status, 200, upgrade.text)
    const idOfFirst = async (path: string) =>
      (await other.session.call<ListRecord<{ id: string }>>({ path })).body.data[0]?.id ?? assert.fail(path)
    return {
      email: email.id,
      template: template.id,
      domain: domain ?? '',
      key: record.id,
      member: other.session.record.user.id,
      invitation: invitation ?? '',
      workspace: other.workspace.id,
      invoice: await idOfFirst('/api/v1/billing/invoices'),
      session: await idOfFirst('/api/v1/auth/sessions'),
      erasure: erasure.body.id,
      webhook: webhook.body.id,
    }
  }

  const withoutIds = ({ status, body }: HttpResponse<ProblemRecord>) => ({ ...body, status, request_id: '' })

  it('returns the same 404 for records of another workspace as for records that do not exist', async () => {
    const other = await system().client.tenant()
    const ids = await foreignIds(other)
    const callers: Caller[] = [tenant.session, await tenant.makeKey({ scopes: [...scopes] })]
    for (const operation of operations) {
      const row = rowOf(operation)
      if (typeof row === 'string' || row.foreign === undefined) continue
      for (const [index, caller] of callers.entries()) {
        if (index === 1 && row.scopes.length === 0) continue
        const response = await callOperation(caller, operation, ids[row.foreign])
        assertProblem(response, 404, 'not_found')
        assert.deepEqual(
          withoutIds(response),
          withoutIds(await callOperation(caller, operation, unknownIds[row.foreign])),
        )
      }
    }
    const all = await other.session.call<ListRecord<{ role: string }>>({ path: '/api/v1/members' })
    assert.deepEqual(
      all.body.data.map(({ role }) => role),
      ['owner'],
    )
    assert.equal((await other.get(ids.email)).status, 'scheduled')
  })

  it('returns the same 404 for mail of the other mode as for mail that does not exist', async () => {
    const test = await tenant.makeKey({ mode: 'test' })
    const { body: live } = await tenant.send(rawMail({ scheduled_at: 'PT1H' }))
    for (const operation of operations) {
      const row = rowOf(operation)
      if (typeof row === 'string' || row.foreign !== 'email') continue
      assertProblem(await callOperation(test, operation, live.id), 404, 'not_found')
    }
    assert.equal((await tenant.get(live.id)).status, 'scheduled')
  })
})
