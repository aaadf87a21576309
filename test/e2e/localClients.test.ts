import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, password, rawMail, type Tenant } from '../support/client.ts'
import { type OwnService, ownService } from '../support/ownService.ts'
import type { SessionRecord } from '../support/records.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** Without a trusted proxy, a request from this machine has privileges. */
const local = { POSTRIDER_ROUTE: 'mailbox:', POSTRIDER_TRUSTED_PROXIES: '' }

/** The sum of the series whose line begins with `start`. */
const total = (metrics: string, start: RegExp): number =>
  metrics
    .split('\n')
    .filter((line) => start.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)

describe('operator pages of a standalone process', () => {
  needsOwnProcess()

  let own: OwnService
  let tenant: Tenant

  before(async () => {
    own = await ownService(local)
    tenant = await own.client.tenant()
  })
  after(() => own?.[Symbol.asyncDispose]())

  it('serves metrics of accepted, refused and delivered emails only to clients on the same machine', async () => {
    const metrics = async (): Promise<string> => {
      const { status, text } = await own.client.call({ path: '/metrics' })
      assert.equal(status, 200)
      return text
    }
    const totals = (text: string) => [
      total(text, /^postrider_mail_accepted_total\{/),
      total(text, /^postrider_mail_delivery_outcomes_total\{.*outcome="delivered"/),
    ]
    // Each sign-up sends one system mail. It is also accepted and delivered.
    await until('the mail of the sign-up', async () => (totals(await metrics()).join() === '1,1' ? true : undefined))
    const { body } = await tenant.send(rawMail())
    await tenant.until(body.id, (email) => email.status === 'delivered')
    await tenant.send({})
    const text = await metrics()
    assert.match(text, /^# TYPE \S+ counter$/m)
    assert.deepEqual(totals(text), [2, 2])
    assert.match(text, /validation_failed"[^}]*\} [1-9]/)
    for (const headers of [{ 'x-forwarded-for': '198.51.100.7' }, { host: 'mail.example.com' }])
      assert.notEqual((await own.client.call({ path: '/metrics', headers })).status, 200)
  })

  it('shows captured live and test emails at /mailbox only to clients on the same machine', async () => {
    const test = await tenant.makeKey({ mode: 'test' })
    const { body: live } = await tenant.send(
      rawMail({ subject: 'Live canary <b>bold</b>', html: '<script>canary()</script><p>Body canary</p>' }),
    )
    await test.call({ path: '/api/v1/emails', json: rawMail({ subject: 'Test canary' }) })
    const marks = (html: string) =>
      html
        .split('<li>')
        .slice(1)
        .map((item) => [/<b>(.*?)<\/b>/, /class="mark">(.*?)</].map((part) => part.exec(item)?.[1]))
        .toSorted()
    const page = await until('all mail is shown', async () => {
      const response = await own.client.call({ path: '/mailbox', headers: { accept: 'text/html' } })
      assert.equal(response.status, 200)
      return marks(response.text).length === 4 ? response : undefined
    })
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.ok(
      !page.text.includes('<b>bold</b>') && !page.text.includes('<script>canary()'),
      'HTML of an email is part of the page',
    )
    // A live mail was shown as delivered, and nothing showed that no server had received it.
    const { notices } = await tenant.until(live.id, ({ status }) => status === 'delivered')
    assert.deepEqual([notices.length, /did not leave the service.*mailbox:/.test(notices[0] ?? '')], [1, true])
    assert.deepEqual(marks(page.text), [
      // The emails of the sign-up and of the test above are captured too.
      ['Confirm your email address', 'live, not sent'],
      ['Hello', 'live, not sent'],
      ['Live canary &lt;b&gt;bold&lt;/b&gt;', 'live, not sent'],
      ['Test canary', 'test'],
    ])
    const [, captured = ''] = /href="(\/mailbox\/[^"]+)"><b>Live canary/.exec(page.text) ?? []
    const shown = await own.client.call({ path: captured, headers: { accept: 'text/html' } })
    assert.match(shown.text, /This live message was not sent\.<\/b> The mail route of the service was <code>mailbox:/)
    for (const headers of [
      { 'x-forwarded-for': '198.51.100.7' },
      { forwarded: 'for=198.51.100.7' },
      { 'x-real-ip': '127.0.0.1' },
      { 'cf-connecting-ip': '127.0.0.1' },
      { host: 'mail.example.com' },
    ]) {
      const response = await own.client.call({ path: '/mailbox', headers })
      assert.notEqual(response.status, 200, JSON.stringify(headers))
      assert.ok(!response.text.includes('canary'))
    }
  })
})

describe('mailbox with system mail', () => {
  needsOwnProcess()

  it('shows system mail to a request from this machine, and not to owners of workspaces', async () => {
    await using system = await ownService(local)
    const { client } = system
    const response = await client.call<SessionRecord>({
      path: '/api/v1/auth/signup',
      json: { email: fresh('person'), password, workspace_name: 'Acme' },
    })
    assert.equal(response.status, 201, response.text)
    const page = (headers: Record<string, string> = {}) =>
      client.call<string>({ path: '/mailbox', headers: { accept: 'text/html', ...headers } })
    const shown = await until('the mail', async () => {
      const { text } = await page()
      return text.includes('Confirm your email address') ? text : undefined
    })
    const id = /href="\/mailbox\/([a-z0-9_]+)"/.exec(shown)?.[1] ?? assert.fail('no link to the mail')
    const raw = await client.call<string>({ path: `/mailbox/${id}/raw` })
    assert.match(raw.text, /\/account\/confirm-email\?token=/)
    const { cookie } = client.session(response)
    assert.doesNotMatch((await page({ cookie })).text, /Confirm your email address/)
    assert.equal((await client.call({ path: `/mailbox/${id}/raw`, headers: { cookie } })).status, 404)
  })
})

describe('standalone process that other machines reach through a proxy', () => {
  needsOwnProcess()

  it('gives requests from this machine no privileges with a public address or a trusted proxy', async () => {
    for (const env of [{ POSTRIDER_PUBLIC_URL: 'https://mail.example.com', POSTRIDER_TRUSTED_PROXIES: '' }, {}]) {
      await using own = await ownService({ POSTRIDER_ROUTE: 'mailbox:', ...env })
      assertProblem(await own.client.call({ path: '/metrics' }), 404, 'not_found')
      assertProblem(await own.client.call({ path: '/mailbox' }), 403, 'forbidden')
    }
  })
})

describe('attacks with forged client addresses', () => {
  needsOwnProcess()

  it('46: a forged address does not avoid the sign-up limit without a trusted proxy', async () => {
    await using own = await ownService(local)
    const statuses = []
    for (let i = 0; i < 13; i += 1) statuses.push((await own.client.signUp()).status)
    assert.deepEqual(
      statuses.slice(0, 10),
      Array.from({ length: 10 }, () => 201),
    )
    assert.ok(statuses.slice(10).includes(429), statuses.join())
  })
})
