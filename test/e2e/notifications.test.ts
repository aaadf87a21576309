import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, type Caller, fresh, password, rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { colleague } from '../support/people.ts'
import type { Received } from '../support/receiver.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const path = '/api/v1/account/notifications'

type Preferences = Record<string, unknown>

const all = { quota: true, domains: true, webhooks: true, reputation: true, sign_in: true }

describe('notifications', () => {
  const system = useSystem()

  const read = async (caller: Caller): Promise<Preferences> => {
    const response = await caller.call<Preferences>({ path })
    assert.equal(response.status, 200, response.text)
    const { object, workspace, ...kinds } = response.body
    assert.equal(object, 'notification_preferences')
    assert.match(String(workspace), /^ws_/)
    return kinds
  }
  const change = (caller: Caller, json: unknown): Promise<HttpResponse<Preferences>> =>
    caller.call({ method: 'PATCH', path, json: json as Record<string, unknown> })

  /** Waits until an address got an email with such a subject. */
  const mailTo = (address: string, subject: RegExp): Promise<Received> =>
    until(`a mail to ${address} about ${subject}`, async () =>
      system()
        .receiver.to(address)
        .find(({ mail }) => subject.test(mail.subject ?? '')),
    )
  const subjectsTo = (address: string): string[] =>
    system()
      .receiver.to(address)
      .map(({ mail }) => mail.subject ?? '')

  type Event = { id: string; type: string; data: Record<string, unknown> }
  const quotaEvents = async (tenant: Tenant): Promise<Event[]> => {
    const query = 'type=quota.warning,quota.exhausted&limit=100'
    const response = await tenant.session.call<{ data: Event[] }>({ path: `/api/v1/events?${query}` })
    assert.equal(response.status, 200, response.text)
    return response.body.data
  }

  it('are chosen by each member for each workspace', async () => {
    const tenant = await system().client.tenant()
    const member = await colleague({ client: system().client, receiver: system().receiver }, tenant, 'member')
    assert.deepEqual(await read(tenant.session), all)
    assert.deepEqual(await read(member.session), {
      quota: false,
      domains: false,
      webhooks: false,
      reputation: false,
      sign_in: true,
    })
    const changed = await change(tenant.session, { domains: false, sign_in: false, quota: null })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await read(tenant.session), { ...all, domains: false, sign_in: false })
    assert.equal((await change(tenant.session, {})).status, 200)
    assert.deepEqual(await read(tenant.session), { ...all, domains: false, sign_in: false })
    assert.equal((await read(member.session))['sign_in'], true)
  })

  it('are refused with unknown kinds, other values, and for API keys', async () => {
    const tenant = await system().client.tenant()
    const unknown = assertProblem(
      await change(tenant.session, { quotas: true, domains: 'yes' }),
      422,
      'validation_failed',
    )
    assert.deepEqual(
      unknown.errors?.map(({ path: at, code }) => [at, code]),
      [
        ['domains', 'wrong_type'],
        ['quotas', 'unknown_field'],
      ],
    )
    assert.match(JSON.stringify(unknown.errors), /did you mean quota/)
    assertProblem(await change(tenant.api, { quota: false }), 403, 'session_required')
    assertProblem(await tenant.api.call({ path }), 403, 'session_required')
    assertProblem(await system().client.call({ path }), 401, 'unauthenticated')
    assert.deepEqual(await read(tenant.session), all)
  })

  it('report a quota at 80 % and 100 %, once, as events and as mail to the members who want it', async () => {
    const tenant = await system().client.tenant({ daily: 10 })
    const at = { client: system().client, receiver: system().receiver }
    const viewer = await colleague(at, tenant, 'viewer')
    const silent = await colleague(at, tenant, 'owner')
    assert.equal((await change(viewer.session, { quota: true })).status, 200)
    assert.equal((await change(silent.session, { quota: false })).status, 200)
    for (let sent = 0; sent < 7; sent += 1) assert.equal((await tenant.send(rawMail())).status, 202)
    assert.deepEqual(await quotaEvents(tenant), [])
    assert.equal((await tenant.send(rawMail())).status, 202)
    const [warning, ...others] = await quotaEvents(tenant)
    assert.deepEqual(others, [])
    const { type, data } = warning ?? assert.fail('no event')
    const { starts_at: _, resets_at: resetsAt, ...counts } = data
    assert.deepEqual(
      { type, ...counts },
      { type: 'quota.warning', period: 'daily', limit: 10, used: 8, remaining: 2, threshold_percent: 80 },
    )
    assert.equal(Date.parse(String(resetsAt)) % 86_400_000, 0)
    const mail = await mailTo(tenant.email, /^80 % of the daily quota is used \(Acme\)$/)
    assert.match(mail.mail.text ?? '', /8 of 10 sends are used/)
    assert.match(mail.mail.text ?? '', /as owner of the workspace “Acme”/)
    assert.match(mail.mail.html ?? '', /8 of 10 sends are used/)
    await mailTo(viewer.email, /^80 % of the daily quota/)

    const send = (_: unknown, number: number) => {
      const mail = rawMail()
      return answered(() => tenant.send(mail, { 'idempotency-key': `exhausting-${number}` }))
    }
    const responses = await Promise.all(Array.from({ length: 5 }, send))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [202, 202, 402, 402, 402])
    const events = await quotaEvents(tenant)
    assert.deepEqual(events.map((event) => event.type).toSorted(), ['quota.exhausted', 'quota.warning'])
    assert.ok(!subjectsTo(silent.email).some((subject) => /quota/.test(subject)))
    // The second event waits for the digest.
    assert.equal(subjectsTo(tenant.email).filter((subject) => /quota/.test(subject)).length, 1)

    await system().client.setLimits(tenant.workspace.id, { daily: 20 })
    for (let sent = 0; sent < 6; sent += 1) assert.equal((await tenant.send(rawMail())).status, 202)
    assert.deepEqual((await quotaEvents(tenant)).map((event) => event.data['limit']).toSorted(), [10, 10, 20])
  })

  it('report a login on a new device to the person', async () => {
    const { client } = system()
    const email = fresh('owner')
    assert.equal((await client.signUp({ email })).status, 201)
    const logIn = (address: string, userAgent: string) =>
      client.call({
        path: '/api/v1/auth/login',
        json: { email, password },
        headers: { 'x-forwarded-for': address, 'user-agent': userAgent },
      })
    assert.equal((await logIn('198.51.100.23', 'curl/8.5.0')).status, 200)
    const { mail } = await mailTo(email, /^New login to your account$/)
    assert.match(mail.text ?? '', /on curl from the address 198\.51\.100\.23/)
    assert.equal((await logIn('198.51.100.23', 'curl/8.5.0')).status, 200)
    assert.equal(subjectsTo(email).filter((subject) => /New login/.test(subject)).length, 1)
  })
})
