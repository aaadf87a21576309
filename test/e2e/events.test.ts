import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const ok = <T>(response: HttpResponse<T>, status: number): HttpResponse<T> => {
  assert.equal(response.status, status, response.text)
  return response
}

type Event = {
  object: string
  id: string
  type: string
  timestamp: string
  data: { email_id: string; recipient: string | null; sequence: number; tags: object; metadata: object; cause: object }
}
type Page = { object: string; data: Event[]; has_more: boolean; next_cursor: string | null }

const path = '/api/v1/events'
const read = async (caller: Caller, query = ''): Promise<Page> =>
  ok(await caller.call<Page>({ path: `${path}${query}` }), 200).body
const typesOf = ({ data }: Pick<Page, 'data'>): string[] => data.map(({ type }) => type)

/** Reads in ascending order until `isEnough`, as a program does that follows events: with the last cursor. */
const follow = async (caller: Caller, query: string, isEnough: (seen: Event[]) => boolean): Promise<Event[]> => {
  const seen: Event[] = []
  let cursor = ''
  await until(
    'the reader has seen the events',
    async () => {
      const page = await read(caller, `?order=asc${query}${cursor && `&cursor=${cursor}`}`)
      assert.ok(page.next_cursor !== null, 'next_cursor is null')
      cursor = page.next_cursor
      seen.push(...page.data)
      return isEnough(seen) || undefined
    },
    120_000,
  )
  return seen
}

describe('events feed', () => {
  const system = useSystem()
  let tenant: Tenant
  const labels = { tags: { team: 'blue' }, metadata: { order: '4711' } }
  const [good, bad] = [fresh('good'), fresh('bad')]
  let sent: string
  let canceled: string

  before(async () => {
    tenant = await system().client.tenant()
    system().receiver.refuse(bad, { code: 550, text: '5.1.1 No such user here' })
    sent = ok(await tenant.send(rawMail({ to: [good, bad], ...labels })), 202).body.id
    await tenant.until(sent, isFinal)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    canceled = ok(await tenant.send(rawMail({ scheduled_at: later })), 202).body.id
    ok(await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${canceled}/cancel` }), 200)
  })

  it('has every event of the emails with its id, labels and cause, newest first', async () => {
    const { data, object, has_more, next_cursor } = await read(tenant.api)
    assert.deepEqual([object, has_more, next_cursor], ['list', false, null])
    const records = await Promise.all([sent, canceled].map((id) => tenant.get(id)))
    const expected = records.flatMap((email) => (email.events ?? []) as unknown as Event[]).map(({ id }) => id)
    assert.deepEqual(new Set(data.map(({ id }) => id)), new Set(expected))
    assert.equal(data.length, expected.length)
    const times = data.map(({ timestamp }) => timestamp)
    assert.deepEqual(times, times.toSorted().reverse())
    const bounced = data.find(({ type }) => type === 'email.bounced')
    assert.deepEqual(
      [bounced?.object, bounced?.data.email_id, bounced?.data.recipient, bounced?.data.tags, bounced?.data.metadata],
      ['event', sent, bad, labels.tags, labels.metadata],
    )
    const attempt = records[0]?.attempts?.[0]?.id
    const cause = { type: 'reply', attempt_id: attempt, code: 550, enhanced_code: '5.1.1' }
    assert.deepEqual(bounced?.data.cause, cause)
    for (const type of ['email.accepted', 'email.scheduled', 'email.canceled']) {
      const shown = JSON.stringify(data.find((event) => event.type === type)?.data.cause)
      assert.match(shown, /^\{"type":"request","actor":\{"type":"key","id":"key_[0-9a-z]{26}"\}\}$/, type)
    }
  })

  it('pages without repeats, and filters by types', async () => {
    const whole = await read(tenant.api)
    const paged: Event[] = []
    for (let cursor = ''; ; ) {
      const page = await read(tenant.api, `?limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.data)
      if (page.next_cursor === null) break
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, whole.data)
    assert.deepEqual(typesOf(await read(tenant.api, '?type=email.bounced')), ['email.bounced'])
    const two = await read(tenant.api, '?type=email.bounced,email.delivered')
    assert.deepEqual(typesOf(two).toSorted(), ['email.bounced', 'email.delivered'])
    for (const type of ['domain.verified', 'quota.warning', 'webhook.disabled', 'email.opened'])
      assert.deepEqual(typesOf(await read(tenant.api, `?type=${type}`)), [], type)
  })

  it('shows a follower each event once, in order, and goes on at the end of the list', async () => {
    const whole = await read(tenant.api)
    const early = await read(tenant.api, '?order=asc')
    assert.ok(early.next_cursor !== null)
    const isComplete = (seen: Event[]) => seen.length >= whole.data.length
    const seen = await follow(tenant.api, '&limit=3', isComplete)
    const positions = (events: Event[]) => events.map(({ timestamp, id }) => `${timestamp} ${id}`)
    assert.deepEqual(positions(seen), positions(whole.data).toSorted())
    const last = await read(
      tenant.api,
      `?order=asc&cursor=${(await read(tenant.api, '?order=asc&limit=100')).next_cursor}`,
    )
    assert.deepEqual([last.data, last.has_more, typeof last.next_cursor], [[], false, 'string'])
  })

  it('responds to a waiting request when an event is stored, for keys and sessions', async () => {
    const to = fresh('awaited')
    for (const caller of [tenant.api, tenant.session]) {
      let cursor = (await read(caller, '?order=arrival&limit=100')).next_cursor
      const later = new Date(Date.now() + 3_600_000).toISOString()
      const { id } = ok(await tenant.send(rawMail({ to: [to], scheduled_at: later })), 202).body
      const seen: Event[] = []
      await until('the reader has seen both events', async () => {
        const page = await read(caller, `?order=arrival&wait=25&cursor=${cursor}`)
        assert.ok(page.next_cursor !== null, 'next_cursor is null')
        cursor = page.next_cursor
        const own = page.data.filter(({ data }) => data.email_id === id)
        if (own.some(({ type }) => type === 'email.scheduled') && !seen.some(({ type }) => type === 'email.scheduled'))
          ok(await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${id}/cancel` }), 200)
        seen.push(...own)
        return seen.some(({ type }) => type === 'email.canceled') || undefined
      })
      const types = [...new Set(typesOf({ data: seen }))].toSorted()
      assert.deepEqual(types, ['email.accepted', 'email.canceled', 'email.scheduled'])
    }
  })

  it('makes a reader in ascending order wait for the end of the delay', async () => {
    let cursor: string | null = null
    for (let hasMore = true; hasMore; ) {
      const page: Page = await read(tenant.api, `?order=asc&limit=100${cursor === null ? '' : `&cursor=${cursor}`}`)
      ;({ next_cursor: cursor, has_more: hasMore } = page)
    }
    const { id } = ok(await tenant.send(rawMail({ to: [fresh('ascending')] })), 202).body
    const seen: Event[] = []
    await until('the reader has seen the event', async () => {
      const page = await read(tenant.api, `?order=asc&wait=25&cursor=${cursor}`)
      // A response without an event comes after the wait, so this polls seldom.
      cursor = page.next_cursor
      seen.push(...page.data)
      return seen.some(({ data, type }) => data.email_id === id && type === 'email.delivered') || undefined
    })
    assert.deepEqual(seen.length, new Set(seen.map((event) => event.id)).size)
  })

  it('ends the wait of a session that has ended', async () => {
    const { session } = await system().client.tenant()
    const waiting = session.call({ path: `${path}?order=arrival&wait=25` })
    ok(await session.call({ method: 'POST', path: '/api/v1/auth/logout' }), 204)
    assertProblem(await waiting, 401, 'unauthenticated')
  })

  it('is readable by keys with emails:read for their mode, and by sessions for both', async () => {
    const test = await tenant.makeKey({ mode: 'test' })
    const { body } = await test.call<{ id: string }>({ path: '/api/v1/emails', json: rawMail({ to: [fresh('test')] }) })
    const ofTest = async () => (await read(test)).data
    await until(
      'the test mail is delivered',
      async () => (await ofTest()).some(({ type }) => type === 'email.delivered') || undefined,
    )
    assert.ok((await ofTest()).every(({ data }) => data.email_id === body.id))
    assert.ok((await read(tenant.api)).data.every(({ data }) => data.email_id !== body.id))
    const ids = new Set((await read(tenant.session, '?limit=100')).data.map(({ data }) => data.email_id))
    assert.ok(ids.has(body.id) && ids.has(sent))
    const sender = await tenant.makeKey({ scopes: ['emails:send'] })
    assertProblem(await sender.call({ path }), 403, 'insufficient_scope')
    const other = await system().client.tenant()
    assert.deepEqual((await read(other.api)).data, [])
  })

  it('refuses queries and cursors that are not its own', async () => {
    const { next_cursor: cursor } = await read(tenant.api, '?limit=1')
    const other = await system().client.tenant()
    const refused: [Caller, string][] = [
      [tenant.api, '?type=email.lost'],
      [tenant.api, '?type='],
      [tenant.api, '?order=up'],
      [tenant.api, '?cursor=x'],
      [tenant.api, '?limit=0'],
      [tenant.api, '?types=email.sent'],
      [tenant.api, `?cursor=${cursor}&order=asc`],
      [tenant.api, `?cursor=${cursor}&type=email.sent`],
      [other.api, `?cursor=${cursor}`],
    ]
    for (const [caller, query] of refused)
      assertProblem(await caller.call({ path: `${path}${query}` }), 400, 'malformed_request')
  })
})
