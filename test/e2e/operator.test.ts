import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { assertSince } from '../support/assertSince.ts'
import { type Caller, fresh, password, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord, ListRecord, UsageRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { takesEffect } from '../support/takesEffect.ts'
import { until } from '../support/until.ts'

type Controls = {
  object: 'workspace'
  id: string
  name: string
  plan: string
  limits: Record<string, unknown>
  suspended: boolean
  suspended_reason: string | null
  deletes_at: string | null
  note: string
}

type UserRecord = {
  object: 'user'
  id: string
  email: string
  workspaces: { id: string; name: string; role: string }[]
  disabled: boolean
  disabled_reason: string | null
  last_seen_at: string | null
}

const workspaces = '/api/v1/operator/workspaces'
const users = '/api/v1/operator/users'
const dayMs = 86_400_000

describe('operator', () => {
  const system = useSystem()
  const operator = (): Caller => system().client.withOperatorToken()

  const callApi = async <T>(method: string, path: string, json?: Record<string, unknown>): Promise<T> => {
    const response = await operator().call<T>({ method, path, ...(json && { json }) })
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  const patch = (tenant: Tenant, json: Record<string, unknown>) =>
    callApi<Controls>('PATCH', `${workspaces}/${tenant.workspace.id}`, json)

  const find = async (query: string): Promise<string[]> =>
    (await callApi<ListRecord<Controls>>('GET', `${workspaces}?${query}`)).data.map(({ id }) => id)

  const sends = async (tenant: Tenant, status: number) =>
    takesEffect(`sends get ${status}`, 5_000, async () => {
      const response = await tenant.send(rawMail())
      return response.status === status ? response : undefined
    })

  describe('health', () => {
    type Health = {
      status: string
      parts: { name: string; status: string; processes: number | null; detail: string | null }[]
    }
    const clusterParts = [
      'accounts',
      'dispatcher',
      'domains',
      'intake',
      'process',
      'quota',
      'redis',
      'templates',
      'webhooks',
    ]

    it('names each part that the process depends on, and all work', async () => {
      const { standalone, cluster } = system()
      const dispatchers = standalone ? 1 : cluster?.of('dispatcher').length
      const countIn = ({ parts }: Health) => parts.find(({ name }) => name === 'dispatcher')?.processes ?? 0
      // On a busy machine a check may be late, and a dispatcher that has just started may still join its groups.
      const health = await until(`all parts and ${dispatchers ?? 'some'} dispatchers work`, async () => {
        const response = await callApi<Health>('GET', '/api/v1/operator/health')
        const count = countIn(response)
        return response.status === 'ok' && count === (dispatchers ?? Math.max(count, 1)) ? response : undefined
      })
      const expected = standalone ? ['database', 'dispatcher', 'process'] : clusterParts
      assert.deepEqual(health.parts.map(({ name }) => name).sort(), expected)
      assert.ok(health.parts.every(({ status, detail }) => status === 'ok' && detail === null))
    })
  })

  describe('search of workspaces', () => {
    it('finds them by id, part of the name and part of a member’s address, in any case', async () => {
      const tenant = await system().client.tenant()
      const name = fresh('Zebra (Ä)').split('@')[0] ?? ''
      const renamed = await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { name } })
      assert.equal(renamed.status, 200, renamed.text)
      const { id } = tenant.workspace
      for (const q of [id, name, name.slice(2).toUpperCase(), tenant.email, tenant.email.slice(3).toUpperCase()])
        assert.deepEqual(await find(`q=${encodeURIComponent(q)}`), [id], q)
      for (const q of [`${name}x`, `x${tenant.email}`, '.*', '%25nothing%25', '$ne'])
        assert.ok(!(await find(`q=${encodeURIComponent(q)}`)).includes(id), q)
    })

    it('filters by plan, suspension and deletion, in pages', async () => {
      const word = fresh('pages').split('@')[0] ?? ''
      const made: Tenant[] = []
      for (let n = 0; n < 3; n++) {
        const tenant = await system().client.tenant()
        await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { name: `${word} ${n}` } })
        made.push(tenant)
      }
      const [first, second, third] = made as [Tenant, Tenant, Tenant]
      await patch(first, { plan: 'pro' })
      await patch(second, { suspended: true })
      await callApi('DELETE', `${workspaces}/${third.workspace.id}`)
      const ids = made.map(({ workspace }) => workspace.id)
      const sorted = (...tenants: Tenant[]) => tenants.map(({ workspace }) => workspace.id).sort()
      assert.deepEqual(await find(`q=${word}&plan=pro`), sorted(first))
      assert.deepEqual((await find(`q=${word}&suspended=true`)).sort(), sorted(second, third))
      assert.deepEqual((await find(`q=${word}&suspended=false`)).sort(), sorted(first))
      assert.deepEqual(await find(`q=${word}&deleting=true`), sorted(third))
      assert.deepEqual((await find(`q=${word}&deleting=false`)).sort(), sorted(first, second))
      const page = await callApi<ListRecord<Controls>>('GET', `${workspaces}?q=${word}&limit=2`)
      const rest = await callApi<ListRecord<Controls>>(
        'GET',
        `${workspaces}?q=${word}&limit=2&cursor=${page.next_cursor}`,
      )
      assert.deepEqual([page.has_more, rest.has_more, rest.next_cursor], [true, false, null])
      assert.deepEqual(
        [...page.data, ...rest.data].map(({ id }) => id),
        ids.toSorted().reverse(),
      )
      const other = await operator().call({ path: `${workspaces}?q=other&limit=2&cursor=${page.next_cursor}` })
      assertProblem(other, 400, 'malformed_request', [{ path: 'cursor' }])
    })

    for (const query of ['plan=gold', 'suspended=yes', 'q=', `q=${'a'.repeat(255)}`, 'q=a&q=b', 'name=a', 'limit=0'])
      it(`refuses ?${query.slice(0, 20)}`, async () =>
        assertProblem(await operator().call({ path: `${workspaces}?${query}` }), 400, 'malformed_request'))
  })

  // The number was refused by quota after accounts had changed the rate.
  it('changes nothing if one of several limits is too high', async () => {
    const tenant = await system().client.tenant()
    const path = `${workspaces}/${tenant.workspace.id}`
    const { limits } = await callApi<Controls>('GET', path)
    const json = { limits: { rate: 7, burst: 8, monthly: Number.MAX_SAFE_INTEGER } }
    const response = await operator().call({ method: 'PATCH', path, json })
    assertProblem(response, 422, 'validation_failed', [{ path: 'limits.monthly' }])
    assert.deepEqual((await callApi<Controls>('GET', path)).limits, limits)
  })

  it('changes the plan, which applies to the next send', async () => {
    const tenant = await system().client.tenant({ monthly: 'plan', daily: 'plan' })
    const usage = async () => (await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })).body
    assert.deepEqual([(await usage()).plan, (await usage()).monthly.limit], ['free', 3_000])
    assert.equal((await patch(tenant, { plan: 'pro' })).plan, 'pro')
    assert.deepEqual(
      [(await usage()).plan, (await usage()).monthly.limit, (await usage()).daily.limit],
      ['pro', 50_000, null],
    )
    assert.equal((await tenant.send(rawMail())).headers['quota-limit'], '50000')
    const own = await tenant.session.call<{ plan: string }>({ path: '/api/v1/workspace' })
    assert.equal(own.body.plan, 'pro')
    const response = await operator().call({
      method: 'PATCH',
      path: `${workspaces}/${tenant.workspace.id}`,
      json: { plan: 'gold' },
    })
    assertProblem(response, 422, 'validation_failed', [{ path: 'plan' }])
  })

  describe('suspension', () => {
    it('shows its reason to the workspace’s users and not the note, until it ends', async () => {
      const tenant = await system().client.tenant()
      const changed = await patch(tenant, { suspended: true, reason: 'Too many bounces.', note: 'secret note' })
      assert.deepEqual(
        [changed.suspended, changed.suspended_reason, changed.note],
        [true, 'Too many bounces.', 'secret note'],
      )
      const { detail } = assertProblem(await sends(tenant, 403), 403, 'forbidden')
      assert.match(detail, /suspended.*Too many bounces\./)
      const own = await tenant.session.call<Controls>({ path: '/api/v1/workspace' })
      assert.deepEqual([own.body.suspended, own.body.suspended_reason], [true, 'Too many bounces.'])
      assert.ok(!own.text.includes('secret note'))
      assert.equal((await patch(tenant, { reason: 'Another reason.' })).suspended_reason, 'Another reason.')
      const resumed = await patch(tenant, { suspended: false })
      assert.deepEqual([resumed.suspended, resumed.suspended_reason], [false, null])
      await sends(tenant, 202)
    })

    it('has no reason without a suspension', async () => {
      const tenant = await system().client.tenant()
      const path = `${workspaces}/${tenant.workspace.id}`
      for (const json of [{ reason: 'x' }, { suspended: false, reason: 'x' }, { suspended: true, reason: 'a\nb' }])
        assertProblem(await operator().call({ method: 'PATCH', path, json }), 422, 'validation_failed', [
          { path: 'reason' },
        ])
      assert.equal((await callApi<Controls>('GET', path)).suspended, false)
    })
  })

  describe('deletion of a workspace', () => {
    it('stops its mail immediately and can be canceled for 7 days; repeating it does not move the time', async () => {
      const tenant = await system().client.tenant()
      const path = `${workspaces}/${tenant.workspace.id}`
      const began = Date.now()
      const deleted = await callApi<Controls>('DELETE', path)
      assertSince(deleted.deletes_at, began, 7 * dayMs)
      assert.equal((await callApi<Controls>('DELETE', path)).deletes_at, deleted.deletes_at)
      const { detail } = assertProblem(await sends(tenant, 403), 403, 'forbidden')
      assert.ok(detail.includes(deleted.deletes_at ?? '-'), detail)
      const own = await tenant.session.call<Controls>({ path: '/api/v1/workspace' })
      assert.equal(own.body.deletes_at, deleted.deletes_at)
      assert.equal((await tenant.api.call({ path: '/api/v1/emails' })).status, 200)
      assertProblem(await operator().call({ method: 'PATCH', path, json: { suspended: false } }), 409, 'conflict')
      for (let n = 0; n < 2; n++) {
        const restored = await callApi<Controls>('POST', `${path}/restore`)
        assert.deepEqual([restored.suspended, restored.deletes_at], [false, null])
      }
      await sends(tenant, 202)
    })

    it('does not end a suspension when it is canceled', async () => {
      const tenant = await system().client.tenant()
      const path = `${workspaces}/${tenant.workspace.id}`
      await patch(tenant, { suspended: true, reason: 'Fraud.' })
      await callApi('DELETE', path)
      const restored = await callApi<Controls>('POST', `${path}/restore`)
      assert.deepEqual([restored.suspended, restored.suspended_reason, restored.deletes_at], [true, 'Fraud.', null])
      await callApi('DELETE', path)
      await patch(tenant, { suspended: true })
      assert.equal((await callApi<Controls>('POST', `${path}/restore`)).suspended, true)
    })

    it('lets scheduled mail wait, which leaves after it is canceled', async () => {
      const tenant = await system().client.tenant()
      const path = `${workspaces}/${tenant.workspace.id}`
      const to = fresh()
      const sent = await tenant.send(rawMail({ to: [to], scheduled_at: 'PT1H' }))
      assert.equal(sent.status, 202, sent.text)
      await callApi('DELETE', path)
      assert.equal((await tenant.get(sent.body.id)).status, 'scheduled')
      await callApi('POST', `${path}/restore`)
      const canceled = await tenant.api.call<EmailRecord>({
        method: 'POST',
        path: `/api/v1/emails/${sent.body.id}/cancel`,
      })
      assert.equal(canceled.status, 200)
    })

    it('is not found for an unknown workspace', async () => {
      for (const id of ['ws_01h2xcejqtf2nbrexx3vqjhp41', 'nothing'])
        for (const [method, path] of [
          ['DELETE', ''],
          ['POST', '/restore'],
          ['PATCH', ''],
          ['GET', ''],
        ] as const)
          assertProblem(
            await operator().call({
              method,
              path: `${workspaces}/${id}${path}`,
              ...(method === 'PATCH' && { json: {} }),
            }),
            404,
            'not_found',
          )
    })
  })

  describe('users', () => {
    const logIn = (tenant: Tenant, secret = password) =>
      system().client.call({
        path: '/api/v1/auth/login',
        json: { email: tenant.email, password: secret },
        headers: { 'x-forwarded-for': '198.18.200.1' },
      })

    const userOf = async ({ email }: Tenant): Promise<UserRecord> => {
      const { data } = await callApi<ListRecord<UserRecord>>(
        'GET',
        `${users}?q=${encodeURIComponent(email.toUpperCase())}`,
      )
      assert.equal(data.length, 1)
      return data[0] ?? assert.fail('no user')
    }

    it('are found by a part of their address, with their workspaces and when they were seen', async () => {
      const tenant = await system().client.tenant()
      const user = await userOf(tenant)
      assert.deepEqual(
        [user.object, user.email, user.disabled, user.disabled_reason],
        ['user', tenant.email, false, null],
      )
      assert.deepEqual(
        user.workspaces.map(({ id, role }) => [id, role]),
        [[tenant.workspace.id, 'owner']],
      )
      const { id } = tenant.session.record.user
      assert.equal(user.id, id)
      const seen = await until('the time is shown', async () => {
        const { last_seen_at } = await callApi<UserRecord>('GET', `${users}/${id}`)
        return last_seen_at ?? undefined
      })
      assert.ok(Math.abs(Date.parse(seen) - Date.now()) < 2 * 3_600_000)
    })

    it('are disabled: their sessions end, their login names the reason, their keys work; and enabled again', async () => {
      const tenant = await system().client.tenant()
      const { id } = tenant.session.record.user
      const path = `${users}/${id}`
      const disabled = await callApi<UserRecord>('PATCH', path, {
        disabled: true,
        reason: 'The account was taken over.',
      })
      assert.deepEqual([disabled.disabled, disabled.disabled_reason], [true, 'The account was taken over.'])
      assertProblem(await tenant.session.call({ path: '/api/v1/auth/session' }), 401, 'unauthenticated')
      assert.match(assertProblem(await logIn(tenant), 403, 'forbidden').detail, /The account was taken over\./)
      assert.doesNotMatch(
        assertProblem(await logIn(tenant, 'wrong password'), 401, 'unauthenticated').detail,
        /taken over/,
      )
      assert.equal((await tenant.send(rawMail())).status, 202)
      assert.ok(
        (await callApi<ListRecord<UserRecord>>('GET', `${users}?disabled=true`)).data.some((one) => one.id === id),
      )
      const enabled = await callApi<UserRecord>('PATCH', path, { disabled: false })
      assert.deepEqual([enabled.disabled, enabled.disabled_reason], [false, null])
      assertProblem(await tenant.session.call({ path: '/api/v1/auth/session' }), 401, 'unauthenticated')
      assert.equal((await logIn(tenant)).status, 200)
    })

    it('are not found by other ids, and changes need `disabled`', async () => {
      const path = `${users}/usr_01h2xcejqtf2nbrexx3vqjhp41`
      assertProblem(await operator().call({ path }), 404, 'not_found')
      const json = { disabled: true }
      assertProblem(await operator().call({ method: 'PATCH', path, json }), 404, 'not_found')
      const { id } = (await system().client.tenant()).session.record.user
      for (const body of [{}, { disabled: 'yes' }, { disabled: false, reason: 'x' }])
        assertProblem(
          await operator().call({ method: 'PATCH', path: `${users}/${id}`, json: body }),
          422,
          'validation_failed',
        )
    })
  })

  it('only the operator token can access the operator API', async () => {
    const tenant = await system().client.tenant()
    const stranger = system().client.withOperatorToken(`${'x'.repeat(30)}1`)
    for (const [method, path] of [
      ['GET', workspaces],
      ['DELETE', `${workspaces}/${tenant.workspace.id}`],
      ['POST', `${workspaces}/${tenant.workspace.id}/restore`],
      ['GET', users],
      ['GET', `${users}/${tenant.session.record.user.id}`],
    ] as const)
      for (const caller of [tenant.api, tenant.session, stranger])
        assertProblem(await caller.call({ method, path }), 401, 'unauthenticated')
  })

  it('has each change in the audit log, with the values before and after', async () => {
    const tenant = await system().client.tenant()
    const { id } = tenant.workspace
    await patch(tenant, { suspended: true, reason: 'Fraud.', note: 'n', plan: 'pro' })
    await callApi('DELETE', `${workspaces}/${id}`)
    await callApi('POST', `${workspaces}/${id}/restore`)
    type Line = {
      action: string
      actor: { type: string }
      before: Record<string, unknown>
      after: Record<string, unknown>
    }
    const lines = await takesEffect('the lines are in the log', 60_000, async () => {
      const { body } = await tenant.session.call<ListRecord<Line>>({
        path: '/api/v1/audit-log?actor=operator&limit=100',
      })
      return body.data?.some(({ action }) => action === 'workspace.restore') ? body.data : undefined
    })
    const line = (action: string) => lines.find((one) => one.action === action && one.actor.type === 'operator')
    const control = lines.find(({ after }) => after?.['suspended_reason'] === 'Fraud.')
    assert.deepEqual([control?.before['suspended'], control?.after['suspended']], [false, true])
    // Quota stores the plan with its line.
    const limits = line('workspace.limits')
    assert.deepEqual([limits?.before['plan'], limits?.after['plan']], ['free', 'pro'])
    assert.ok(!('note' in (control?.after ?? {})))
    assert.equal(line('workspace.delete')?.before['deletes_at'], null)
    assert.equal(line('workspace.restore')?.after['deletes_at'], null)
  })
})
