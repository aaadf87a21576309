import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, freshDomain, rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import type { EmailRecord, ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type Latency = { count: number; p50_ms: number | null; p95_ms: number | null; p99_ms: number | null }
type Group = {
  group: string | null
  accepted: number
  statuses: Record<string, number>
  first_attempt: Latency
  delivery: Latency
}
type Stats = {
  object: string
  from: string
  to: string
  bucket: string
  by: string
  mode: string | null
  complete_until: string
  data: (Group & { at: string })[]
  totals: Group[]
}

const path = '/api/v1/stats/emails'
const ok = <T>({ status, body, text }: HttpResponse<T>, expected = 200): T => {
  assert.equal(status, expected, text)
  return body
}
const read = async (caller: Caller, query = ''): Promise<Stats> =>
  ok(await caller.call<Stats>({ path: `${path}${query}` }))

const nonzero = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
const shown = ({ totals }: Stats) =>
  Object.fromEntries(totals.map(({ group, statuses }) => [group ?? 'all', nonzero(statuses)]))
const magic = (name: string): string => `${name}@simulator.postrider.dev`

/** Names of the statuses that each of these recipients has at last. */
const outcomes = { delivered: 'delivered', bounced: 'bounced', complained: 'complained', deferred: 'deferred' } as const

describe('statistics of mail', () => {
  const system = useSystem()
  let tenant: Tenant
  const domain = freshDomain()

  const send = async (caller: Caller, over: Record<string, unknown>): Promise<EmailRecord> =>
    ok(await caller.call<EmailRecord>({ path: '/api/v1/emails', json: rawMail(over) }), 202)
  const ended = (caller: Caller, { id }: EmailRecord, wanted: readonly string[]): Promise<EmailRecord> =>
    until(`${id} has its outcomes`, async () => {
      const { body } = await caller.call<EmailRecord>({ path: `/api/v1/emails/${id}` })
      return wanted.every((status, number) => body.recipients[number]?.status === status) ? body : undefined
    })

  before(async () => {
    tenant = await system().client.tenant()
    const json = { postal_address: '1 Street, Town' }
    ok(await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json }))
    const bad = fresh('bad', domain)
    system().receiver.refuse(bad, { code: 550, text: '5.1.1 No such user here' })
    const names = Object.keys(outcomes) as (keyof typeof outcomes)[]
    const tags = { team: 'blue' }
    for (const name of names)
      await ended(tenant.api, await send(tenant.api, { to: [magic(name)], tags }), [outcomes[name]])
    const mixed = { to: [fresh('good', domain), bad], category: 'marketing', tags: { team: 'red', kind: 'news' } }
    await ended(tenant.api, await send(tenant.api, mixed), ['delivered', 'bounced'])
    await send(tenant.api, { to: [fresh('later', domain)], scheduled_at: 'PT1H' })
    const canceled = await send(tenant.api, { to: [fresh('never', domain)], scheduled_at: 'PT1H' })
    ok(await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${canceled.id}/cancel` }))
    await send(tenant.api, { to: [magic('suppressed')] })
  })

  const expected = { delivered: 2, bounced: 2, complained: 1, deferred: 1, scheduled: 1, canceled: 1, suppressed: 1 }

  it('have every event immediately, equal the list, and add up to what the ledger counts', async () => {
    const stats = await read(tenant.api)
    assert.deepEqual([stats.object, stats.by, stats.mode, stats.bucket], ['email_stats', 'status', 'live', 'hour'])
    assert.deepEqual(shown(stats), { all: expected })
    const { data } = ok(await tenant.api.call<ListRecord<EmailRecord>>({ path: '/api/v1/emails?limit=100' }))
    const listed = Map.groupBy(
      data.flatMap(({ recipients }) => recipients),
      ({ status }) => status,
    )
    assert.deepEqual(Object.fromEntries([...listed].map(([status, all]) => [status, all.length])), expected)
    const sum = (name: 'accepted') => stats.data.reduce((all, row) => all + row[name], 0)
    assert.equal(stats.totals[0]?.accepted, 9)
    assert.equal(sum('accepted'), 9)
    // Suppressed recipients are not counted, and those of canceled mail are released.
    await until('the ledger has the canceled send back', async () => {
      const usage = ok(await tenant.session.call<{ monthly: { used: number } }>({ path: '/api/v1/billing/usage' }))
      return usage.monthly.used === 9 - expected.suppressed - expected.canceled || undefined
    })
    assert.ok(Date.parse(stats.complete_until) > Date.now() - 600_000)
    const [first] = stats.totals
    assert.deepEqual([first?.first_attempt.count, first?.delivery.count], [6, 3])
    for (const latency of [first?.first_attempt, first?.delivery])
      assert.ok((latency?.p50_ms ?? -1) > 0 && (latency?.p99_ms ?? 0) >= (latency?.p50_ms ?? 0))
  })

  it('are grouped by category, tag and destination', async () => {
    assert.deepEqual(shown(await read(tenant.api, '?by=category')), {
      transactional: { delivered: 1, bounced: 1, complained: 1, deferred: 1, scheduled: 1, canceled: 1, suppressed: 1 },
      marketing: { delivered: 1, bounced: 1 },
    })
    assert.deepEqual(shown(await read(tenant.api, '?by=tag&bucket=day')), {
      'team:blue': { delivered: 1, bounced: 1, complained: 1, deferred: 1 },
      'team:red': { delivered: 1, bounced: 1 },
      'kind:news': { delivered: 1, bounced: 1 },
    })
    const { totals, data } = await read(tenant.api, '?by=destination')
    assert.deepEqual(
      totals.map(({ group, accepted }) => [group, accepted]),
      [
        ['simulator.postrider.dev', 5],
        [domain, 4],
      ],
    )
    assert.equal(data.length, 2 * new Set(data.map(({ at }) => at)).size)
  })

  it('have rows for the whole range, and none of the mail outside', async () => {
    const day = 86_400_000
    const to = new Date(Math.floor(Date.now() / day) * day - day).toISOString()
    const from = new Date(Date.parse(to) - 90 * day).toISOString()
    const stats = await read(tenant.api, `?from=${from}&to=${to}`)
    assert.deepEqual([stats.bucket, stats.from, stats.to, stats.data.length], ['day', from, to, 90])
    assert.deepEqual(shown(stats), { all: {} })
    assert.deepEqual(stats.totals[0]?.delivery, { count: 0, p50_ms: null, p95_ms: null, p99_ms: null })
  })

  it('are of one mode with a key, and of both with a session', async () => {
    const test = await tenant.makeKey({ mode: 'test', scopes: ['emails:send', 'emails:read'] })
    await ended(test, await send(test, { to: [magic('bounced')] }), ['bounced'])
    assert.deepEqual(shown(await read(test)), { all: { bounced: 1 } })
    assert.deepEqual(shown(await read(tenant.api)), { all: expected })
    const { session } = tenant
    const both = await read(session)
    assert.deepEqual([both.mode, shown(both)], [null, { all: { ...expected, bounced: 3 } }])
    assert.deepEqual(shown(await read(session, '?mode=test')), { all: { bounced: 1 } })
    assert.deepEqual(shown(await read(session, '?mode=live')), { all: expected })
    assertProblem(await test.call({ path: `${path}?mode=live` }), 400, 'malformed_request', [
      { path: 'mode', code: 'invalid_mode' },
    ])
  })

  it('statistics need the scope emails:read', async () => {
    const sender = await tenant.makeKey({ scopes: ['emails:send'] })
    assertProblem(await sender.call({ path }), 403, 'insufficient_scope')
  })

  it('are empty for another workspace', async () => {
    const other = await system().client.tenant()
    assert.deepEqual(shown(await read(other.session)), { all: {} })
  })

  it('refuse a wrong range with all problems together', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const problems = async (query: string) => {
      const response = await tenant.api.call<{ errors?: { path: string; code: string }[] }>({
        path: `${path}?${query}`,
      })
      assert.ok([400, 422].includes(response.status), response.text)
      return (response.body.errors ?? []).map((one) => one.path).toSorted()
    }
    assert.deepEqual(await problems('from=yesterday&to=2026-13-01T00:00:00Z&bucket=week&by=month'), [
      'bucket',
      'by',
      'from',
      'to',
    ])
    assert.deepEqual(await problems(`from=${at(1)}&to=${at(2)}&by=month`), ['by', 'to'])
    assert.deepEqual(await problems(`from=${at(91)}&to=${at(0)}`), ['from'])
    assert.deepEqual(await problems(`from=${at(91)}`), ['from'])
    assert.deepEqual(await problems(`from=${at(8)}&to=${at(0)}&bucket=hour`), ['bucket'])
    assert.deepEqual(await problems(`from=${at(450)}&to=${at(449)}`), ['from'])
  })
})
