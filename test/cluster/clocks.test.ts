import assert from 'node:assert/strict'
import process from 'node:process'
import { assertSince } from '../support/assertSince.ts'
import { answered, fresh, rawMail, whenServed } from '../support/client.ts'
import type { EmailRecord, KeyRecord, UsageRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import type { Member } from './member.ts'
import { clockErrorMs, useCluster } from './shared.ts'

const minuteMs = 60_000
/** Much less than the clock error of 4 minutes. */
const toleranceMs = minuteMs

const assertNear = (time: string | null | undefined, began: number, offsetMs = 0): void =>
  assertSince(time, began, offsetMs, toleranceMs)

/** Returns the readiness checks of a process by name. */
const checksOf = async ({ opsUrl }: Member): Promise<Record<string, string>> => {
  const response = await fetch(`${opsUrl}/readyz`)
  return ((await response.json()) as { checks: Record<string, string> }).checks
}

/** The services that use the time of the store. */
const timed = ['accounts', 'templates', 'quota', 'domains', 'webhooks', 'intake', 'dispatcher'] as const

describe('cluster on machines with wrong clocks (I14)', () => {
  const system = useCluster()
  const members = (): Member[] => timed.flatMap((service) => system().cluster.of(service))
  const wrong = (): Member[] => members().filter(({ service, number }) => clockErrorMs(service, number) !== 0)

  it('each process whose clock is wrong by 4 minutes logs that once, and no other process does', async () => {
    const times = ({ output }: Member, text: string) => output().split(text).length - 1
    const warnings = (one: Member) => times(one, 'machine clock is wrong')
    // Another suite may have started it again.
    const starts = (one: Member) => times(one, '"msg":"started"')
    await until('all of them log it', () => (wrong().every((one) => warnings(one) >= starts(one)) ? true : undefined))
    for (const one of members()) {
      const expected = clockErrorMs(one.service, one.number) === 0 ? 0 : starts(one)
      assert.equal(warnings(one), expected, `${one.service} ${one.number}`)
    }
  })

  it('all gateways and services return the time of the store', async () => {
    const { gateways, client } = system()
    const began = Date.now()
    const tenant = await client.tenant({ monthly: 1_000 })
    const resets = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1)
    for (const gateway of gateways) {
      const json = { ...rawMail(), scheduled_at: 'PT10M', expires_in: 60 }
      const now = Date.now()
      const response = await whenServed(() =>
        gateway.withKey(tenant.api.key).call<EmailRecord & { expires_at: string }>({ path: '/api/v1/emails', json }),
      )
      assert.equal(response.status, 202, response.text)
      assertNear(response.body.created_at, now)
      assertNear(response.body.scheduled_at, now, 10 * minuteMs)
      assertNear(response.body.expires_at, now, 11 * minuteMs)
      const resetMs = Number(response.headers['quota-reset']) * 1_000
      assertNear(new Date(resets - resetMs).toISOString(), now)
    }
    const { body } = await whenServed(() => tenant.session.call<{ data: KeyRecord[] }>({ path: '/api/v1/api-keys' }))
    const usedAt = body.data[0]?.last_used_at
    assertNear(usedAt, began)
    assert.ok(Date.parse(usedAt ?? '') <= Date.now(), `last used at ${usedAt}`)
    const beforeTemplate = Date.now()
    assertNear((await tenant.template({ text_body: 'Hello.' })).created_at, beforeTemplate)
    const usage = await whenServed(() => tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' }))
    assert.equal(Date.parse(usage.body.period.end), resets)
  })

  it('a key that expires in 10 s is accepted until then by every gateway, and refused afterwards', async () => {
    const { gateways, client } = system()
    const tenant = await client.tenant()
    // It must be made before it expires, also on a busy machine.
    const expiresAt = Date.now() + 10_000
    const key = await tenant.makeKey({ expires_at: new Date(expiresAt).toISOString() })
    const statuses = async (): Promise<Set<number>> => {
      const calls = gateways.map((one) => whenServed(() => one.withKey(key.key).call({ path: '/api/v1/emails' })))
      const found = new Set((await Promise.all(calls)).map(({ status }) => status))
      assert.ok(!found.has(401) || Date.now() > expiresAt - 100, 'it was refused before it expired')
      return found
    }
    const first = await statuses()
    assert.ok(first.has(200) || Date.now() > expiresAt, 'no gateway accepted it')
    await until('all refuse it', async () => ((await statuses()).has(200) ? undefined : true))
    assert.deepEqual(await statuses(), new Set([401]))
  })

  it('scheduled mail does not leave early from any dispatcher', async () => {
    const { client, sink } = system()
    const tenant = await client.tenant()
    const recipients = Array.from({ length: 12 }, () => fresh())
    const responses = await Promise.all(
      recipients.map((to) =>
        answered(() => tenant.send({ ...rawMail({ to: [to] }), scheduled_at: 'PT3S' }, { 'idempotency-key': to })),
      ),
    )
    for (const { body } of responses) await tenant.until(body.id, ({ status }) => status === 'delivered')
    const times = responses.map(({ body }) => Date.parse(body.scheduled_at ?? ''))
    for (const { at } of sink.messages.filter(({ to }) => recipients.includes(to[0] ?? ''))) {
      assert.ok(at > Math.min(...times) - 50, `an email left ${Math.min(...times) - at} ms early`)
    }
  })

  it('no mail is lost or repeated when clocks jump by 10 minutes or more during deliveries', async () => {
    const { client, cluster, sink, script } = system()
    const tenant = await client.tenant()
    // The server delays its replies, so that clocks jump before and after final dots.
    script(({ at }) => (at === 'RCPT' || at === 'dot' ? { delayMs: 300 } : null))
    const recipients = Array.from({ length: 80 }, () => fresh())
    const send = (to: string, number: number) =>
      answered(() => tenant.send(rawMail({ to: [to] }), { 'idempotency-key': `jump-${number}` }))
    const since = Date.now()
    const first = await Promise.all(recipients.slice(0, 60).map(send))
    const all = [...members(), ...cluster.of('gateway')]
    let jumped = false
    const jump = () => {
      jumped = !jumped
      for (const one of all) process.kill(one.pid(), 'SIGUSR2')
    }
    using stack = new DisposableStack()
    stack.defer(() => {
      if (jumped) jump()
    })
    jump()
    for (const one of wrong()) {
      const isDetected = async () => ((await checksOf(one))['clock'] !== 'ok' ? true : undefined)
      await until(`${one.service} ${one.number} is not ready because of its clock`, isDetected)
      assert.equal(await one.ready(), false)
    }
    const second = await Promise.all(recipients.slice(60).map((to, number) => send(to, 60 + number)))
    jump()
    await Promise.all(
      all.map((one) => until('it is ready again', async () => ((await one.ready()) ? true : undefined))),
    )

    const responses = [...first, ...second]
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [202])
    const emails: EmailRecord[] = []
    for (const { body } of responses) {
      emails.push(await tenant.until(body.id, ({ status }) => status === 'delivered'))
    }
    assert.deepEqual(
      sink.messages
        .flatMap(({ to }) => to)
        .filter((to) => recipients.includes(to))
        .sort(),
      recipients.toSorted(),
    )
    const twice = emails.filter(({ attempts }) => attempts?.length !== 1)
    assert.deepEqual(
      twice.map(({ attempts }) => attempts),
      [],
    )
    for (const { created_at } of emails) assertNear(created_at, since)
  })

  // kafkajs sends heartbeats by the wall clock. A dispatcher stayed outside of its group until its clock had caught up.
  it('dispatchers whose clocks were set back join their groups again', async () => {
    const { client, cluster } = system()
    const dispatchers = cluster.of('dispatcher')
    const setBack = dispatchers.filter(({ number }) => clockErrorMs('dispatcher', number) < 0)
    assert.ok(setBack.length > 0)
    const isReplaced = ({ output }: Member): boolean => output().includes('sends no heartbeats')
    await until('their consumers are replaced', () => (setBack.every(isReplaced) ? true : undefined))
    await until('all dispatchers are counted', async () => {
      const operator = client.withOperatorToken()
      const { body } = await whenServed(() =>
        operator.call<{ parts: { name: string; processes: number | null }[] }>({ path: '/api/v1/operator/health' }),
      )
      const { processes } = body.parts.find(({ name }) => name === 'dispatcher') ?? {}
      return processes === dispatchers.length ? true : undefined
    })
  })
})
