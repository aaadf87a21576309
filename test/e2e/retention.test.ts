import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type Removed = EmailRecord & { content_removed_at: string | null; retention: unknown }

describe('retention', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const removed = (id: string): Promise<Removed> =>
    until('the content is removed', async () => {
      const { body } = await tenant.api.call<Removed>({ path: `/api/v1/emails/${id}` })
      return isFinal(body) && body.content_removed_at ? body : undefined
    })

  const send = async (over: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const json = rawMail({ subject: 'MARKER', text: 'MARKER', ...over })
    return tenant.api.call<Removed>({ method: 'POST', path: '/api/v1/emails', json, headers })
  }

  it('`none` removes content, addresses and labels when the mail is final, also from the replayed response', async () => {
    const to = fresh()
    const over = { retention: 'none', to: [to], metadata: { order: 'MARKER' }, tags: { t: 'MARKER' } }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await send(over, headers)
    assert.equal(first.status, 202, first.text)
    const after = await removed(first.body.id)
    assert.doesNotMatch(JSON.stringify(after), /MARKER/)
    assert.ok(!JSON.stringify(after).includes(to))
    assert.deepEqual([after.status, after.retention, after.to], ['delivered', 'none', ['removed@removed.invalid']])
    assertProblem(await tenant.api.call({ path: `/api/v1/emails/${after.id}/raw` }), 404, 'not_found')
    const again = await send(over, headers)
    assert.deepEqual([again.status, again.body.id], [202, after.id])
    assert.doesNotMatch(again.text, /MARKER/)
  })

  it('`metadata` of the workspace keeps addresses and labels', async () => {
    const path = '/api/v1/workspace'
    const changed = await tenant.session.call<Removed>({ method: 'PATCH', path, json: { retention: 'metadata' } })
    assert.deepEqual([changed.status, changed.body.retention], [200, 'metadata'], changed.text)
    const to = fresh()
    const id = await until('the setting has reached the service', async () => {
      const { body } = await send({ to: [to], metadata: { order: 'MARKER' } })
      return body.retention === 'metadata' ? body.id : undefined
    })
    const after = await removed(id)
    assert.deepEqual([after.subject, after.to, after.metadata], ['', [to], { order: 'MARKER' }])
    const kept = await send({ retention: 7 })
    assert.equal(kept.body.retention, 7)
    const reset = await tenant.session.call<Removed>({ method: 'PATCH', path, json: { retention: null } })
    assert.equal(reset.body.retention, null)
  })

  it('refuses more days than the installation stores', async () => {
    assertProblem(await send({ retention: 31 }), 422, 'validation_failed', [
      { path: 'retention', code: 'invalid_value' },
    ])
    const json = { retention: '31' }
    const changed = await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json })
    assertProblem(changed, 422, 'validation_failed', [{ path: 'retention', code: 'invalid_value' }])
  })

  it('erases a recipient and reports it', async () => {
    const [to, other] = [fresh(), fresh()]
    const { body } = await send({ to: [to, other] })
    await until('the mail is final', async () => {
      const found = await tenant.api.call<Removed>({ path: `/api/v1/emails/${body.id}` })
      return isFinal(found.body) ? true : undefined
    })
    const key = { name: 'staging', recipients: [to, other] }
    assert.equal((await tenant.session.call({ path: '/api/v1/api-keys', json: key })).status, 201)
    const path = '/api/v1/erasures'
    const made = await tenant.session.call<{ id: string; status: string }>({ path, json: { address: to } })
    assert.deepEqual([made.status, made.body.status], [202, 'running'], made.text)
    const done = await until('the erasure is done', async () => {
      const found = await tenant.session.call<{ status: string; emails: number }>({ path: `${path}/${made.body.id}` })
      return found.body.status === 'done' ? found.body : undefined
    })
    assert.equal(done.emails, 1)
    const after = await removed(body.id)
    assert.deepEqual(after.to, ['removed@removed.invalid', other])
    const log = await tenant.session.call({ path: '/api/v1/audit-log?action=erasure.create' })
    assert.ok(log.text.includes(made.body.id) && !log.text.includes(to), log.text)
    type Line = { after: { recipients: string[] } | null; redactions: { erasure: string; fields: string[] }[] }
    const { body: lines, text } = await tenant.session.call<{ data: Line[] }>({
      path: '/api/v1/audit-log?action=key.create',
    })
    assert.ok(!text.includes(to), text)
    const [line] = lines.data
    assert.deepEqual(line?.after?.recipients, ['removed@removed.invalid', other])
    assert.deepEqual(
      line?.redactions.map(({ erasure, fields }) => [erasure, fields]),
      [[made.body.id, ['after.recipients']]],
    )
  })

  it('erases a recipient who was refused in a batch from the response to its repetition', async () => {
    const [to, other] = [fresh('user', 'outside.example'), fresh('user', 'inside.example')]
    const limited = await tenant.makeKey({ recipients: ['inside.example'] })
    const headers = { 'idempotency-key': fresh('key'), 'batch-validation': 'permissive' }
    const json = { messages: [rawMail({ to: [other] }), rawMail({ to: [to] })] }
    const post = () => limited.call<{ data: { status: number }[] }>({ path: '/api/v1/emails/batch', json, headers })
    const first = await post()
    assert.ok(first.text.includes(`not send to ${to}`), first.text)
    const path = '/api/v1/erasures'
    const made = await tenant.session.call<{ id: string }>({ path, json: { address: to } })
    await until('the erasure is done', async () => {
      const found = await tenant.session.call<{ status: string }>({ path: `${path}/${made.body.id}` })
      return found.body.status === 'done' ? true : undefined
    })
    const repeated = await post()
    assert.equal(repeated.headers['idempotent-replayed'], 'true')
    assert.equal(repeated.text, first.text.replaceAll(to, 'removed@removed.invalid'))
  })

  it('reports due removals to the operator', async () => {
    const path = '/api/v1/operator/retention'
    const { status, body, text } = await system().client.withOperatorToken().call<Record<string, number>>({ path })
    assert.equal(status, 200, text)
    assert.deepEqual([body['content_days'], body['record_days'], body['attachment_days']], [30, 90, 3])
  })
})
