import assert from 'node:assert/strict'
import { CapturedEmailDetail, CapturedEmailList } from '@postrider/contracts/http/mailbox.ts'
import type { Captured, CapturedPage } from '@postrider/contracts/services.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { aPerson, type Fakes, refusing, testGateway } from '../testGateway.ts'
import type { DashboardFiles } from './dashboardFiles.ts'

const mail = (number: number): Captured => ({
  id: `att_${number}`,
  emailId: `em_${number}`,
  workspace: 'ws_1',
  mode: 'live',
  at: Date.parse('2026-11-21T12:00:00.000Z'),
  from: 'mail@postrider.example',
  to: ['b@y.example'],
  subject: `Canary ${number}`,
})

type Call = { [field: string]: unknown }
const calls: Call[] = []
/** How many messages a list finds, and what a search reports of its end. */
let found = { count: 1, end: {} as Pick<CapturedPage, 'end'> }

const fakes: Fakes = {
  intake: {
    ListCaptured: async (request) => {
      calls.push({ ...request })
      return { captured: Array.from({ length: found.count }, (_, number) => mail(number)), ...found.end }
    },
    GetCaptured: async (request) => {
      calls.push({ ...request })
      const file = { filename: 'plan "a"\r\n.html', contentType: 'text/html', contentId: null, size: 8 }
      const image = { filename: 'logo.png', contentType: 'image/png', contentId: 'logo', size: 3 }
      return {
        captured: mail(1),
        raw: Buffer.from('Subject: x\r\n\r\n'),
        html: '<!doctype html><img src="cid:logo"><script>canary()</script>',
        text: null,
        attachments: [
          { ...file, ...(request.attachment === 0 && { content: Buffer.from('<script>') }) },
          { ...image, ...(request.inlineImages && { content: Buffer.from('png') }) },
        ],
      }
    },
  },
  accounts: {
    AuthenticateSession: async ({ token }) =>
      token === 'none'
        ? refusing('unauthenticated', 'No.')()
        : { token: '', csrf_token: 't', email: 'e', caller: aPerson({ role: token as Role }) },
  },
}
const index = { type: 'text/html', plain: { bytes: Buffer.from('<p>dashboard'), etag: '"1"' }, encoded: [] }
const dashboard: DashboardFiles = { index, others: new Map() }
const json = { accept: 'application/json', cookie: 'sid=owner' }
const tab = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'document' }

describe('data of the mailbox of the dashboard', () => {
  beforeEach(() => {
    calls.splice(0)
    found = { count: 1, end: {} }
  })

  it('is a list of the workspace, in pages', async () => {
    await using gateway = await testGateway({ ...fakes, dashboard })
    found.count = 51
    const { status, body } = await gateway.call({ path: '/mailbox?cursor=att_9', headers: json })
    assert.equal(status, 200)
    const list = CapturedEmailList.parse(body)
    assert.deepEqual([list.data.length, list.has_more, list.next_cursor], [50, true, 'att_49'])
    assert.deepEqual(calls, [{ of: { workspace: 'ws_1' }, before: 'att_9', limit: 51 }])
    found.count = 50
    const last = CapturedEmailList.parse((await gateway.call({ path: '/mailbox', headers: json })).body)
    assert.deepEqual([last.data.length, last.has_more, last.next_cursor], [50, false, null])
  })

  it('continues a search that ended before it filled a page', async () => {
    await using gateway = await testGateway(fakes)
    found = { count: 2, end: { end: { hasMore: true, lastId: 'att_500' } } }
    const { body } = await gateway.call({ path: '/mailbox?q=Invoice', headers: json })
    assert.deepEqual([body['has_more'], body['next_cursor']], [true, 'att_500'])
    assert.equal(calls[0]?.['query'], 'Invoice')
    found = { count: 2, end: { end: { hasMore: false, lastId: 'att_7' } } }
    const last = (await gateway.call({ path: '/mailbox?q=Invoice', headers: json })).body
    assert.deepEqual([last['has_more'], last['next_cursor']], [false, null])
  })

  it('is one message without its HTML, which a frame shows under a policy of its own', async () => {
    await using gateway = await testGateway(fakes)
    const { body, text } = await gateway.call({ path: '/mailbox/att_1', headers: json })
    const detail = CapturedEmailDetail.parse(body)
    assert.deepEqual([detail.has_html, detail.text, detail.attachments.length], [true, null, 2])
    assert.ok(!text.includes('script'))
    const frame = await gateway.call({ path: '/mailbox/att_1/html', headers: { cookie: 'sid=owner' } })
    const policy = String(frame.headers['content-security-policy'])
    assert.match(policy, /^sandbox; default-src 'none'; .*img-src data:;/)
    assert.match(policy, /frame-ancestors 'self'/)
    assert.match(frame.text, /^<!doctype html><base target="_blank"><img src="data:image\/png;base64,cG5n">/)
    const open = await gateway.call({ path: '/mailbox/att_1/html?images=show', headers: { cookie: 'sid=owner' } })
    assert.match(String(open.headers['content-security-policy']), /img-src data: https: http:/)
  })

  it('is a file that browsers save', async () => {
    await using gateway = await testGateway(fakes)
    const headers = { cookie: 'sid=owner' }
    const file = await gateway.call({ path: '/mailbox/att_1/attachments/0', headers })
    assert.deepEqual([file.status, file.text], [200, '<script>'])
    assert.equal(file.headers['content-type'], 'application/octet-stream')
    assert.match(String(file.headers['content-disposition']), /^attachment; filename=/)
    assert.match(String(file.headers['content-security-policy']), /default-src 'none'/)
    for (const number of ['1', '2', '-1', 'x', '99999'])
      assert.equal((await gateway.call({ path: `/mailbox/att_1/attachments/${number}`, headers })).status, 404, number)
  })

  for (const [name, headers] of [
    ['of a member', { cookie: 'sid=member' }],
    ['with an ended session', { cookie: 'sid=none' }],
    ['without a session', {}],
  ] as const) {
    it(`is hidden from a request ${name}, even if a proxy on this machine forwards it`, async () => {
      const local = { publicUrl: 'http://localhost:8080', publicUrlIsSet: false }
      for (const config of [{}, local]) {
        await using gateway = await testGateway({ ...fakes, config })
        for (const path of ['/mailbox', '/mailbox/att_1', '/mailbox/att_1/html', '/mailbox/att_1/attachments/0']) {
          const all = { accept: 'application/json', 'x-forwarded-for': '127.0.0.1', ...headers }
          const { status, body, text } = await gateway.call({ path, headers: all })
          assert.deepEqual([path, status, body.code], [path, 403, 'forbidden'])
          assert.ok(!text.includes('Canary'))
        }
        assert.deepEqual(calls, [])
      }
    })
  }

  // Regression: the parameter was ignored, so the response had other mail than was requested.
  for (const [path, parameter] of [
    ['/mailbox?limit=1', 'limit'],
    ['/mailbox?workspace=ws_x&mode=live', 'workspace'],
    ['/mailbox?before=att_1', 'before'],
    ['/mailbox?q=a&q=b', 'q'],
    [`/mailbox?q=${'x'.repeat(201)}`, 'q'],
    ['/mailbox?cursor=A-1', 'cursor'],
    ['/mailbox/att_1?mode=live', 'mode'],
    ['/mailbox/att_1/html?images=all', 'images'],
    ['/mailbox/att_1/raw?images=show', 'images'],
    ['/mailbox/att_1/attachments/0?inline', 'inline'],
  ] as const)
    it(`is refused with a parameter that has no effect: ${path.slice(0, 40)}`, async () => {
      await using gateway = await testGateway(fakes)
      const { status, body } = await gateway.call({ path, headers: json })
      assert.deepEqual([status, body.code, body.errors?.[0]?.path], [400, 'malformed_request', parameter])
      assert.deepEqual(calls, [])
    })

  it('is refused as a page too', async () => {
    await using gateway = await testGateway(fakes)
    for (const query of ['limit=1', 'workspace=ws_x', 'q=x', 'before=A-1']) {
      const headers = { accept: 'text/html', cookie: 'sid=owner' }
      const { status, text } = await gateway.call({ path: `/mailbox?${query}`, headers })
      assert.deepEqual([query, status], [query, 400])
      assert.match(text, /^<!doctype html>/i)
    }
    assert.deepEqual(calls, [])
  })

  it('is never from another workspace than that of the tab', async () => {
    await using gateway = await testGateway(fakes)
    const headers = { ...json, 'x-workspace': 'ws_2' }
    const { status, body } = await gateway.call({ path: '/mailbox', headers })
    assert.deepEqual([status, body.code, calls.length], [409, 'workspace_changed', 0])
  })
})

describe('paths of the mailbox', () => {
  it('show the dashboard to a browser that opens them, with or without a session', async () => {
    await using gateway = await testGateway({ ...fakes, dashboard })
    for (const path of ['/mailbox', '/mailbox/att_1', '/mailbox?q=x']) {
      const { status, text, headers } = await gateway.call({ path, headers: tab })
      assert.deepEqual([path, status, text], [path, 200, '<p>dashboard'])
      assert.match(String(headers['vary']), /Sec-Fetch-Dest/)
    }
  })

  it('show the pages without scripts for ?plain, to programs, and without a dashboard', async () => {
    await using gateway = await testGateway({ ...fakes, dashboard })
    await using without = await testGateway(fakes)
    const cookie = 'sid=owner'
    const { text } = await gateway.call({ path: '/mailbox?plain', headers: { ...tab, cookie } })
    assert.match(text, /href="\/mailbox\/att_0\?plain"/)
    assert.match(text, /action="\/mailbox\/logout\?plain"/)
    assert.match((await gateway.call({ path: '/mailbox', headers: { accept: 'text/html', cookie } })).text, /Canary 0/)
    assert.match((await gateway.call({ path: '/mailbox', headers: { cookie } })).text, /Canary 0/)
    assert.match((await without.call({ path: '/mailbox', headers: { ...tab, cookie } })).text, /Canary 0/)
    const form = await gateway.call({ path: '/mailbox?plain', headers: tab })
    assert.equal(form.status, 403)
    assert.match(form.text, /action="\/mailbox\/login\?plain"/)
  })
})
