import assert from 'node:assert/strict'
import process from 'node:process'
import { answered, fresh, rawMail } from '../support/client.ts'
import type { EmailRecord, KeyRecord, UsageRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import type { Member } from './member.ts'
import { useCluster, wrongBy } from './shared.ts'

const minuteMs = 60_000
/** What a request may take on a busy machine; far less than the 4 minutes that clocks are off. */
const aMomentMs = minuteMs

const near = (text: string | null, expected: number, what: string): void => {
  const offMs = Math.abs(Date.parse(text ?? '') - expected)
  assert.ok(offMs < aMomentMs, `${what}: ${text} is off by ${offMs} ms`)
}

/** Its readiness as it tells it, each thing by its name. */
const checksOf = async ({ opsUrl }: Member): Promise<Record<string, string>> => {
  const answer = await fetch(`${opsUrl}/readyz`)
  return ((await answer.json()) as { checks: Record<string, string> }).checks
}

/** Those that ask the store for the time. */
const timed = ['accounts', 'templates', 'quota', 'intake', 'dispatcher'] as const

describe('a cluster on machines whose clocks are wrong (I14)', () => {
  const system = useCluster()
  const members = (): Member[] => timed.flatMap((service) => system().cluster.of(service))
  const wrong = (): Member[] => members().filter(({ service, number }) => wrongBy(service, number) !== 0)

  it('each process that is 4 minutes off says so once, and no other does', async () => {
    const told = ({ output }: Member) => output().split('machine clock is wrong').length - 1
    await until('all of them say so', () => (wrong().every((one) => told(one) > 0) ? true : undefined), 15_000)
    for (const one of members()) {
      assert.equal(told(one), wrongBy(one.service, one.number) === 0 ? 0 : 1, `${one.service} ${one.number}`)
    }
  })

  it('every gateway and service tells one time, the store’s', async () => {
    const { gateways, client } = system()
    const tenant = await client.tenant({ monthly: 1_000 })
    const resets = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1)
    for (const gateway of gateways) {
      const json = { ...rawMail(), scheduled_at: 'PT10M', expires_in: 60 }
      const now = Date.now()
      const answer = await gateway.withKey(tenant.api.key).call<EmailRecord & { expires_at: string }>({
        path: '/api/v1/emails',
        json,
      })
      assert.equal(answer.status, 202, answer.text)
      near(answer.body.created_at, now, 'created_at')
      near(answer.body.scheduled_at, now + 10 * minuteMs, 'scheduled_at')
      near(answer.body.expires_at, now + 11 * minuteMs, 'expires_at')
      const resetMs = Number(answer.headers['quota-reset']) * 1_000
      assert.ok(Math.abs(resetMs - (resets - now)) < aMomentMs, `Quota-Reset is ${resetMs} ms`)
    }
    const { body } = await tenant.session.call<{ data: KeyRecord[] }>({ path: '/api/v1/api-keys' })
    // Told by the minute.
    const usedMsAgo = Date.now() - Date.parse(body.data[0]?.last_used_at ?? '')
    assert.ok(usedMsAgo >= 0 && usedMsAgo < minuteMs + aMomentMs, `last used ${usedMsAgo} ms ago`)
    near((await tenant.template({ text_body: 'Hello.' })).created_at, Date.now(), 'created_at of a template')
    const usage = await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })
    assert.equal(Date.parse(usage.body.period.end), resets)
  })

  it('a key that lasts a moment works until then at every gateway, and no longer', async () => {
    const { gateways, client } = system()
    const tenant = await client.tenant()
    const expiresAt = Date.now() + 4_000
    const key = await tenant.makeKey({ expires_at: new Date(expiresAt).toISOString() })
    const statuses = async (): Promise<Set<number>> => {
      const calls = gateways.map((one) => one.withKey(key.key).call({ path: '/api/v1/emails' }))
      const found = new Set((await Promise.all(calls)).map(({ status }) => status))
      assert.ok(!found.has(401) || Date.now() > expiresAt - 100, 'it was refused before its time')
      return found
    }
    const first = await statuses()
    assert.ok(first.has(200) || Date.now() > expiresAt, 'it was good at no gateway')
    await until('all refuse it', async () => ((await statuses()).has(200) ? undefined : true))
    assert.deepEqual(await statuses(), new Set([401]))
  })

  it('what is scheduled leaves at its time, by whichever dispatcher', async () => {
    const { client, sink } = system()
    const tenant = await client.tenant()
    const recipients = Array.from({ length: 12 }, () => fresh())
    const answers = await Promise.all(
      recipients.map((to) =>
        answered(() => tenant.send({ ...rawMail({ to: [to] }), scheduled_at: 'PT3S' }, { 'idempotency-key': to })),
      ),
    )
    for (const { body } of answers) await tenant.until(body.id, ({ status }) => status === 'delivered', 20_000)
    const times = answers.map(({ body }) => Date.parse(body.scheduled_at ?? ''))
    for (const { at } of sink.messages.filter(({ to }) => recipients.includes(to[0] ?? ''))) {
      assert.ok(at > Math.min(...times) - 50, `one left ${Math.min(...times) - at} ms early`)
    }
  })

  it('clocks that jump by 10 minutes and more while mail is in work repeat none and lose none', async function () {
    this.timeout(90_000)
    const { client, cluster, sink, script } = system()
    const tenant = await client.tenant()
    // The server thinks about each recipient and each message, so that clocks jump before final dots and behind them.
    script(({ at }) => (at === 'RCPT' || at === 'dot' ? { delayMs: 300 } : null))
    const recipients = Array.from({ length: 80 }, () => fresh())
    const send = (to: string, number: number) =>
      answered(() => tenant.send(rawMail({ to: [to] }), { 'idempotency-key': `jump-${number}` }))
    const since = Date.now()
    const first = await Promise.all(recipients.slice(0, 60).map(send))
    const everybody = [...members(), ...cluster.of('gateway')]
    let jumped = false
    const jump = () => {
      jumped = !jumped
      for (const one of everybody) process.kill(one.pid(), 'SIGUSR2')
    }
    using stack = new DisposableStack()
    stack.defer(() => {
      if (jumped) jump()
    })
    jump()
    for (const one of wrong()) {
      const look = async () => ((await checksOf(one))['clock'] !== 'ok' ? true : undefined)
      await until(`${one.service} ${one.number} is not ready for its clock`, look)
      assert.equal(await one.ready(), false)
    }
    const second = await Promise.all(recipients.slice(60).map((to, number) => send(to, 60 + number)))
    jump()
    await Promise.all(
      everybody.map((one) => until('it is ready again', async () => ((await one.ready()) ? true : undefined))),
    )

    const answers = [...first, ...second]
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202])
    const emails: EmailRecord[] = []
    for (const { body } of answers) {
      emails.push(await tenant.until(body.id, ({ status }) => status === 'delivered', 45_000))
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
    for (const { created_at } of emails) near(created_at, since, 'created_at')
  })
})
