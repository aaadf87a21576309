import assert from 'node:assert/strict'
import type { Captured, CapturedOf } from '@postrider/contracts/services.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { aPerson, type Fakes, refusing, testGateway } from '../testGateway.ts'

const captured: Captured = {
  id: 'att_1',
  emailId: 'em_1',
  workspace: 'ws_1',
  mode: 'test',
  at: Date.parse('2026-11-21T12:00:00.000Z'),
  from: 'mail@postrider.example',
  to: ['b@y.example'],
  subject: 'Canary <b>bold</b> & "more"',
}

const read: CapturedOf[] = []
const fakes: Fakes = {
  intake: {
    ListCaptured: async ({ of }) => {
      read.push(of)
      return { captured: [captured] }
    },
    GetCaptured: async ({ of }) => {
      read.push(of)
      return {
        captured,
        raw: Buffer.from('Subject: x\r\n\r\n'),
        html: '<p title="a">Hi</p><script>canary()</script>',
        text: '</pre><i>x',
        attachments: [],
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
const page = { accept: 'text/html' }
const local = { publicUrl: 'http://localhost:8080', publicUrlIsSet: false }

describe('pages outside the API', () => {
  beforeEach(() => read.splice(0))

  it('show all captured mail to a request on this machine', async () => {
    await using gateway = await testGateway({ ...fakes, config: local })
    const { status, text, headers } = await gateway.call({ path: '/mailbox', headers: page })
    assert.equal(status, 200)
    assert.deepEqual(read, ['every_workspace'])
    assert.match(text, /Canary &lt;b&gt;bold&lt;\/b&gt; &amp; &quot;more&quot;/)
    assert.match(text, /<span class="mark">test<\/span>/)
    assert.match(text, /None of them left this service; to send mail, its operator sets <code>POSTRIDER_ROUTE<\/code>/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.doesNotMatch(String(headers['content-security-policy']), /script-src/)
  })

  it('show the HTML of an email only in a sandboxed frame', async () => {
    await using gateway = await testGateway({ ...fakes, config: local })
    const { text } = await gateway.call({ path: '/mailbox/att_1', headers: page })
    assert.ok(!text.includes('<script>') && !text.includes('</pre><i>x'))
    const [, inner = ''] = /<iframe sandbox="" [^>]*srcdoc="([^"]*)"/.exec(text) ?? []
    assert.match(
      inner,
      /^&lt;meta http-equiv=&quot;Content-Security-Policy&quot; content=&quot;default-src &#39;none&#39;/,
    )
    assert.match(inner, /&lt;script&gt;canary\(\)&lt;\/script&gt;$/)
    const raw = await gateway.call({ path: '/mailbox/att_1/raw' })
    assert.equal(raw.text, 'Subject: x\r\n\r\n')
    assert.match(raw.headers['content-type'] ?? '', /^text\/plain/)
  })

  for (const [name, headers, config = {}] of [
    ['that came through a proxy', { 'x-forwarded-for': '127.0.0.1' }, local],
    ['with a Forwarded header', { forwarded: 'for=127.0.0.1' }, local],
    ['if a trusted proxy is configured', {}, { ...local, trustedProxies: ['10.0.0.1'] }],
    ['if the installation has a public address', {}],
    ['for another host', { host: 'mail.example.com' }],
    ['of a member', { cookie: 'sid=member', host: 'mail.example.com' }],
    ['with an ended session', { cookie: 'sid=none', host: 'mail.example.com' }],
  ] as const) {
    it(`hide captured mail from a request ${name}`, async () => {
      await using gateway = await testGateway({ ...fakes, config })
      for (const path of ['/mailbox', '/mailbox/att_1', '/mailbox/att_1/raw']) {
        const { status, text } = await gateway.call({ path, headers: { ...page, ...headers } })
        assert.equal(status, 403)
        assert.ok(!text.includes('Canary'))
      }
      assert.deepEqual(read, [])
    })
  }

  it('show an owner the captured mail of the workspace from anywhere', async () => {
    await using gateway = await testGateway(fakes)
    const headers = { ...page, cookie: 'sid=owner', host: 'mail.example.com' }
    assert.equal((await gateway.call({ path: '/mailbox', headers })).status, 200)
    assert.deepEqual(read, [{ workspace: 'ws_1' }])
  })

  it('serve metrics to requests on this machine only', async () => {
    await using gateway = await testGateway({ config: local })
    assert.match((await gateway.call({ path: '/metrics' })).text, /postrider_http_request_duration_seconds/)
    assert.equal((await gateway.call({ path: '/metrics', headers: { 'x-real-ip': '127.0.0.1' } })).status, 404)
    const closing = await gateway.call({ path: '/metrics', headers: { connection: 'close' } })
    assert.equal(closing.status, 404)
    assert.match(String(closing.body.detail), /only shown to this machine.*`Connection: close`.*POSTRIDER_PUBLIC_URL/)
    await using distant = await testGateway()
    assert.equal((await distant.call({ path: '/metrics' })).body.detail, 'There is nothing at this path.')
    await using off = await testGateway({ config: { ...local, metricsOnPort: false } })
    assert.equal((await off.call({ path: '/metrics' })).status, 404)
  })

  it('report liveness always and readiness while the gateway is ready', async () => {
    let ready = true
    await using gateway = await testGateway({ ready: () => ready })
    assert.equal((await gateway.call({ path: '/livez' })).status, 200)
    assert.equal((await gateway.call({ path: '/readyz' })).status, 200)
    ready = false
    assert.equal((await gateway.call({ path: '/readyz' })).status, 503)
    assert.equal((await gateway.call({ path: '/livez' })).status, 200)
  })

  it('return a page to a browser on an unknown path', async () => {
    await using gateway = await testGateway()
    const { status, headers, text } = await gateway.call({ path: '/nothing', headers: page })
    assert.equal(status, 404)
    assert.match(headers['content-type'] ?? '', /^text\/html/)
    assert.match(text, /Not found/)
    assert.match(
      (await gateway.call({ path: '/', headers: page })).text,
      /curl https:\/\/mail\.example\.com\/api\/v1\/emails/,
    )
  })
})
