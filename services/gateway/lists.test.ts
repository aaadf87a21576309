import assert from 'node:assert/strict'
import type { ListEmailsRequest } from '@postrider/contracts/services.ts'
import { makeCursors } from './lists.ts'
import { aCaller, aKey, aPerson, aWorkspace, config, type Fakes, type TestGateway, testGateway } from './testGateway.ts'

describe('lists', () => {
  let gateway: TestGateway
  const requests: ListEmailsRequest[] = []
  before(async () => {
    gateway = await testGateway({
      intake: {
        ListEmails: async (request) => {
          requests.push(request)
          return { recordsJson: ['{"id":"em_2"}', '{"id":"em_1"}'], lastId: 'em_1', hasMore: true }
        },
      },
      // From 10.0.0.1 the key belongs to another workspace.
      accounts: {
        AuthenticateKey: async ({ client_address }) =>
          aCaller(client_address === '10.0.0.1' ? { workspace: 'ws_2' } : {}),
      },
      config: { trustedProxies: ['127.0.0.1'] },
    })
  })
  after(() => gateway[Symbol.asyncDispose]())
  beforeEach(() => requests.splice(0))

  const list = (query = '') => gateway.api({ path: `/api/v1/emails${query}` })
  const cursorOf = async (query = ''): Promise<string> => String((await list(query)).body['next_cursor'])

  it('return the records unchanged and a cursor for the next page', async () => {
    const { body } = await list()
    assert.deepEqual([body['object'], body['data'], body['has_more']], ['list', [{ id: 'em_2' }, { id: 'em_1' }], true])
    assert.deepEqual([requests[0]?.limit, requests[0]?.before], [20, null])
    await list(`?limit=3&cursor=${body['next_cursor']}`)
    assert.deepEqual([requests[1]?.limit, requests[1]?.before], [3, 'em_1'])
  })

  it('pass the parsed filters on', async () => {
    const query = new URLSearchParams({
      status: 'delivered',
      to: 'A@BÜCHER.example',
      from_: 'b@y.example',
      subject: '50 %',
      tag: 'a:b',
      created_after: '2026-01-01T01:00:00+01:00',
    })
    assert.equal((await list(`?${query}`)).status, 200)
    const { reader, ...rest } = requests[0] ?? assert.fail()
    assert.equal(reader?.workspace, 'ws_1')
    assert.deepEqual(rest, {
      limit: 20,
      before: null,
      status: 'delivered',
      to: 'A@xn--bcher-kva.example',
      from: 'b@y.example',
      subject: '50 %',
      templateId: null,
      tag: { name: 'a', value: 'b' },
      category: null,
      createdAfter: Date.UTC(2026, 0, 1),
      createdBefore: null,
    })
  })

  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=101',
    'limit=',
    'limit=1&limit=2',
    'cursor=',
    'cursor=forged',
    `cursor=${'A'.repeat(40)}`,
    'status=perhaps',
    'status[$ne]=x',
    'sort=$where',
    'tag=a',
    'created_after=yesterday',
    'to=nonsense',
    'category=spam',
  ]) {
    it(`50: reject ?${query}`, async () => {
      const { status, body } = await list(`?${query}`)
      assert.deepEqual([status, body.code], [400, 'malformed_request'])
      assert.equal(body.errors?.length, 1)
    })
  }

  it('50: accept a cursor only unchanged, with its own list, filters and workspace', async () => {
    const cursor = await cursorOf('?status=delivered')
    assert.equal((await list(`?status=delivered&limit=5&cursor=${cursor}`)).status, 200)
    assert.equal((await list(`?cursor=${cursor}`)).status, 400)
    assert.equal((await list(`?status=bounced&cursor=${cursor}`)).status, 400)
    assert.equal((await list(`?status=delivered&cursor=${cursor.slice(0, -2)}AA`)).status, 400)
    const headers = { authorization: `Bearer ${aKey()}`, 'x-forwarded-for': '10.0.0.1' }
    const elsewhere = await gateway.call({ path: `/api/v1/emails?status=delivered&cursor=${cursor}`, headers })
    assert.equal(elsewhere.status, 400)
    const templates = await gateway.api({ path: `/api/v1/templates?cursor=${await cursorOf()}` })
    assert.equal(templates.status, 400)
  })

  it('accept a cursor of the last release with a filter by time', async () => {
    const filters = { created_after: '2026-01-01T00:00:00.000Z', created_before: '2026-02-01T00:00:00.000Z' }
    const cursor = makeCursors(config.cursorSecret).seal({ path: '/api/v1/emails', workspace: 'ws_1', filters }, 'em_9')
    const query = 'created_after=2026-01-01T01:00:00%2B01:00&created_before=2026-02-01T00:00:00Z'
    assert.equal((await list(`?${query}&cursor=${cursor}`)).status, 200)
    assert.equal(requests[0]?.before, 'em_9')
  })

  it('accept a cursor of the last release with a filter by tag', async () => {
    const scope = { path: '/api/v1/emails', workspace: 'ws_1', filters: { tag: 'team:billing' } }
    const cursor = makeCursors(config.cursorSecret).seal(scope, 'em_9')
    assert.equal((await list(`?tag=team:billing&cursor=${cursor}`)).status, 200)
    assert.deepEqual([requests[0]?.before, requests[0]?.tag], ['em_9', { name: 'team', value: 'billing' }])
    assert.equal((await list(`?tag=team:other&cursor=${cursor}`)).status, 400)
  })

  // Each list had its own form of a position: the cursors of earlier releases contain the same text.
  it('accept cursors of the last release with a position by time', async () => {
    const calls: unknown[] = []
    const at = 1_790_000_000_000
    const found = { eventsJson: [], position: { at, id: 'evt_2' }, hasMore: false, arrived: [] }
    await using gateway = await testGateway({
      intake: {
        ListEvents: async (request) => {
          calls.push([request.after, request.arrival])
          return { ...found, arrival: request.arrival }
        },
        ListParked: async ({ before }) => {
          calls.push(before)
          return { emails: [], position: null, hasMore: false }
        },
      },
      accounts: {
        AuthenticateKey: async () => aCaller(),
        AuthenticateSession: async () => ({ token: '', csrf_token: 't', email: 'e', caller: aPerson() }),
        ListAudit: async ({ before }) => {
          calls.push(before)
          return { entries: [], has_more: false, last_position: null }
        },
      },
    })
    const seal = (path: string, workspace: string, filters: Record<string, unknown>, text: string) =>
      `cursor=${makeCursors(config.cursorSecret).seal({ path, workspace, filters }, text)}`
    const asc = seal('/api/v1/events', 'ws_1', { order: 'asc' }, `${at}.evt_1`)
    const arrival = seal('/api/v1/events', 'ws_1', { order: 'arrival' }, `${at}.evt_1 ${at + 1}.evt_2 digest`)
    const audit = seal('/api/v1/audit-log', 'ws_1', {}, `${at}.aud_1`)
    const parked = seal('/api/v1/operator/parked', '', {}, `${at}.em_1`)
    const cookie = { headers: { cookie: 'sid=s1' } }
    for (const response of [
      await gateway.api({ path: `/api/v1/events?order=asc&${asc}` }),
      await gateway.api({ path: `/api/v1/events?order=arrival&${arrival}` }),
      await gateway.call({ path: `/api/v1/audit-log?${audit}`, ...cookie }),
      await gateway.call({
        path: `/api/v1/operator/parked?${parked}`,
        headers: { authorization: `Bearer ${config.operatorToken}` },
      }),
    ])
      assert.equal(response.status, 200, response.text)
    assert.deepEqual(calls, [
      [{ at, id: 'evt_1' }, null],
      [null, { complete: { at, id: 'evt_1' }, seen: { at: at + 1, id: 'evt_2' }, digest: 'digest' }],
      { at, id: 'aud_1' },
      { at, id: 'em_1' },
    ])
  })

  it('accept cursors of the old and of the new secret while it is changed', () => {
    const scope = { path: '/api/v1/emails', workspace: 'ws_1', filters: {} }
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)]
    const during = makeCursors(`${fresh},${old}`)
    assert.equal(during.open(scope, makeCursors(old).seal(scope, 'em_1')), 'em_1')
    assert.equal(during.open(scope, makeCursors(fresh).seal(scope, 'em_1')), 'em_1')
    assert.equal(makeCursors(fresh).open(scope, during.seal(scope, 'em_1')), 'em_1')
    assert.throws(() => makeCursors(fresh).open(scope, makeCursors(old).seal(scope, 'em_1')), /Not a cursor/)
  })

  it('suggest the nearest name for an unknown parameter', async () => {
    assert.match((await list('?from=a@b.example')).body.detail ?? '', /did you mean from_\?/)
  })
})

const maxListBytes = 4 * 2 ** 20
const ids = Array.from({ length: 30 }, (_, n) => `x_${String(n).padStart(3, '0')}`).toReversed()
const olderThan = (before: string | null, limit: number) =>
  ids.filter((id) => before === null || id < before).slice(0, limit)
// In JSON the quotation marks have two bytes each.
const long = '"'.repeat(200_000)

/** Services that send whole pages, as those of release 0.1 do. */
const unbounded: Fakes = {
  intake: {
    ListEmails: async ({ before, limit }) => {
      const found = olderThan(before, limit)
      const recordsJson = found.map((id) => JSON.stringify({ id, subject: long }))
      return { recordsJson, lastId: found.at(-1) ?? null, hasMore: found.at(-1) !== ids.at(-1) }
    },
  },
  templates: {
    List: async ({ before, limit }) => {
      const found = olderThan(before, limit)
      const rest = {
        name: 'n',
        subject: long,
        htmlBody: long,
        variables: [],
        notices: [],
        version: 1,
        createdAt: 0,
        updatedAt: 0,
      }
      return { templates: found.map((id) => ({ id, ...rest })), hasMore: found.at(-1) !== ids.at(-1) }
    },
  },
  accounts: {
    AuthenticateSession: async () => ({
      token: '',
      csrf_token: 'csrf',
      email: 'a@example.com',
      caller: aPerson(),
    }),
    ListKeys: async () => ({
      keys: ids.map((id) => ({
        ...{ id, name: long, scopes: [], mode: 'live', prefix: '', last_four: '', created_at: 0, expires_at: null },
        ...{ last_used_at: null, revoked_at: null, domains: [], networks: [], recipients: [] },
        ...{ last_used_from: '', rolled_to: '', rolled_from: '', unused_since: null },
      })),
    }),
    ListWorkspaces: async ({ before, limit }) => ({
      workspaces: olderThan(before || null, limit).map((id) => ({ ...aWorkspace, id, note: long })),
    }),
  },
  quota: { GetLimits: async () => ({ monthly: 'plan', daily: 'plan', plan: '', spending_cap_cents: null }) },
}

describe('pages of lists', () => {
  const key = { authorization: `Bearer ${aKey()}` }
  const lists: [path: string, headers: Record<string, string>][] = [
    ['/api/v1/emails', key],
    ['/api/v1/templates', key],
    ['/api/v1/api-keys', { cookie: `sid=${'s'.repeat(43)}` }],
    ['/api/v1/operator/workspaces', { authorization: `Bearer ${config.operatorToken}` }],
  ]
  for (const [path, headers] of lists)
    it(`end at 4 MiB and continue without gaps: ${path}`, async () => {
      await using gateway = await testGateway(unbounded)
      const seen: string[] = []
      for (let query = '?limit=100'; ; ) {
        const { status, text, body } = await gateway.call({ path: path + query, headers })
        assert.equal(status, 200, text.slice(0, 300))
        assert.ok(Buffer.byteLength(text) <= maxListBytes, `${text.length} bytes`)
        const data = body['data'] as { id: string; html_body?: string }[]
        assert.ok(data.every(({ html_body }) => html_body === undefined))
        seen.push(...data.map(({ id }) => id))
        assert.equal(body['has_more'], body['next_cursor'] !== null)
        if (body['next_cursor'] === null) break
        assert.ok(data.length > 5)
        query = `?limit=100&cursor=${body['next_cursor']}`
      }
      assert.deepEqual(seen, ids)
    })
})

describe('lists of people and their workspaces', () => {
  const session = { cookie: `sid=${'s'.repeat(43)}` }
  const signedIn = {
    AuthenticateSession: async () => ({
      ...{ token: '', csrf_token: 'csrf', email: 'a@example.com' },
      caller: aPerson(),
    }),
  }

  it('page through members who joined at the same time, in any order of the service', async () => {
    const one = { email: 'a@example.com', role: 'member', last_seen_at: null, totp_enabled: false }
    const joined = { usr_3: 2, usr_1: 1, usr_4: 1, usr_2: 1 }
    const members = Object.entries(joined).map(([user, ms]) => ({
      ...one,
      user,
      joined_at: ms,
    }))
    const accounts = { ...signedIn, ListMembers: async () => ({ members }) }
    await using gateway = await testGateway({ accounts })
    const seen: string[] = []
    for (let query = '?limit=1'; query !== ''; ) {
      const { body, text } = await gateway.call({ path: `/api/v1/members${query}`, headers: session })
      seen.push(...(body['data'] as { user: { id: string } }[]).map(({ user }) => user.id))
      assert.ok(seen.length <= members.length, text)
      query = body['has_more'] ? `?limit=1&cursor=${body['next_cursor']}` : ''
    }
    assert.deepEqual(seen, ['usr_3', 'usr_4', 'usr_2', 'usr_1'])
  })
})
