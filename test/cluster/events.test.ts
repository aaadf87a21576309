import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { printedSeed, seeded, shortOrLong } from '../faults/random.ts'
import { allEmails, isTemporary, untilDrained } from '../faults/recorder.ts'
import { fresh, rawMail, type Tenant, whenServed } from '../support/client.ts'
import { assertSawAll, followEvents } from '../support/eventFollower.ts'
import { bodyOf, type Hook, startHook, verified } from '../support/hooks.ts'
import { inParallel } from '../support/inParallel.ts'
import type { EmailRecord } from '../support/records.ts'
import { hangMs, until } from '../support/until.ts'
import type { Member, ServiceName } from './member.ts'
import { useCluster } from './shared.ts'

/** How long writers run while others of them are killed and paused. */
const loadMs = shortOrLong(20_000, 300_000)
const clients = 4
/** Pause of each client between emails. Without it they would use the whole machine. */
const restMs = 100
/** Emails and webhook deliveries are leased for less than this. */
const leaseMs = 60_000

/** The mail that is sent while processes are disturbed. */
type Load = {
  /** The ids of the emails so far. */
  sent: readonly string[]
  /** Returns whether the reader has seen an event of an email. */
  hasSeen(email: string): boolean
  isOver(): boolean
  random(): number
}

describe('events of a cluster whose writers are killed and paused (I27)', () => {
  const system = useCluster()

  /** Sends an email until it is accepted. Every fifth is scheduled, and then canceled. */
  const sendOne = async ({ api, send }: Tenant, number: number): Promise<string> => {
    const isCanceled = number % 5 === 4
    // Half of the first recipients are refused by the sink.
    const to = [fresh(number % 2 === 0 ? 'user' : 'unknown'), fresh()]
    const mail = rawMail({ to, ...(isCanceled && { scheduled_at: 'PT1H' }) })
    const key = { 'idempotency-key': fresh() }
    const repeated = <T>(call: () => Promise<{ status: number; body: T }>, wanted: number): Promise<T> => {
      const attempt = async (): Promise<T | undefined> => {
        const response = await call().catch(() => null)
        if (response?.status === wanted) return response.body
        const status = response?.status ?? null
        // A cancel whose response was lost has been made; a repeated send is refused while the first one runs.
        if (isCanceled && wanted === 200 && status === 409) return (response as { body: T }).body
        assert.ok(isTemporary(status) || status === 409, String(status))
        return undefined
      }
      return until(`a response ${wanted}`, attempt, hangMs, restMs)
    }
    const { id } = await repeated<EmailRecord>(() => send(mail, key), 202)
    if (isCanceled) await repeated(() => api.call({ method: 'POST', path: `/api/v1/emails/${id}/cancel` }), 200)
    return id
  }

  /**
   * Kills or pauses one process at a time, each after some emails are sent. A paused dispatcher loses its leases before
   * it continues, and the reader passes the time of its events.
   */
  const disturb = async ({ sent, hasSeen, isOver, random }: Load): Promise<void> => {
    const someSent = async (): Promise<void> => {
      const count = sent.length + random() * 20
      await until('some emails are sent', () => sent.length >= count || isOver() || undefined)
    }
    const { cluster } = system()
    const victims: ServiceName[] = ['dispatcher', 'intake', 'webhooks', 'dispatcher']
    for (let round = 0; !isOver(); round++) {
      const members = cluster.of(victims[round % victims.length] ?? 'dispatcher')
      const victim = members[Math.floor(random() * members.length)] as Member
      await someSent()
      if (round % victims.length === 0) {
        victim.pause()
        const before = sent.length
        // A reader in order of time gets no event before it has passed the time of earlier ones.
        const hasPassed = () => sent.slice(before).some(hasSeen) || (isOver() && sent.length === before)
        await until('the reader has passed the pause', () => hasPassed() || undefined)
        await expireLeases()
        await untilTaken()
        victim.resume()
      } else {
        await victim.kill9()
        await someSent()
        await victim.start()
      }
    }
  }

  /** Ends the leases of processes that were killed or are paused, so that others take over immediately. */
  const expireLeases = async (): Promise<void> => {
    const earlier = { $inc: { leaseUntil: -leaseMs, dueAt: -leaseMs } }
    await system()
      .records.collection('emails')
      .updateMany({ leaseUntil: { $ne: null } }, earlier)
    await system()
      .records.collection('webhook_deliveries')
      .updateMany({ leaseUntil: { $gt: 0 } }, earlier)
  }

  /** Waits until no email has an expired lease. */
  const untilTaken = async (): Promise<void> => {
    const emails = system().records.collection('emails')
    const expired = { leaseUntil: { $ne: null, $lt: Date.now() } }
    await until('others have the emails', async () => (await emails.countDocuments(expired)) === 0 || undefined)
  }

  const assertPushed = (hook: Hook, events: readonly string[]): void => {
    const bodies = Map.groupBy(hook.seen, ({ headers }) => headers['webhook-id'] ?? '')
    assert.deepEqual(new Set(events).difference(new Set(bodies.keys())), new Set(), 'events were not pushed')
    assert.deepEqual(new Set(bodies.keys()).difference(new Set(events)), new Set(), 'others were pushed')
    for (const [id, seen] of bodies) assert.equal(new Set(seen.map(({ body }) => body)).size, 1, `${id} has changed`)
    for (const one of hook.seen) assert.equal(verified(hook.secret, one).id, one.headers['webhook-id'])
  }

  it(`are seen once and in order by a reader, and pushed to a webhook, during ${loadMs / 1_000} s`, async function () {
    this.timeout(loadMs + 400_000)
    const random = seeded(printedSeed())
    const { client, script } = system()
    script(({ at, line }) => (at === 'RCPT' && line.includes('<unknown') ? '550 5.1.1 no such user' : null))
    const tenant = await client.tenant()
    await using hook = await startHook(tenant.session, {}, (_, before) => ({
      status: before === 0 && random() < 0.1 ? 500 : 200,
    }))
    await using follower = followEvents(tenant.api)
    const endsAt = performance.now() + loadMs
    const isOver = () => performance.now() > endsAt
    const sent: string[] = []
    const hasSeen = (email: string) => follower.seen.some(({ data }) => data.email_id === email)
    let number = 0
    const sending = inParallel(clients, { from: 0, to: clients }, async () => {
      while (!isOver()) {
        sent.push(await sendOne(tenant, number++))
        await pause(restMs)
      }
    })
    await Promise.all([sending, disturb({ sent, hasSeen, isOver, random })])
    await expireLeases()
    await untilDrained(tenant)
    const { body: last } = await whenServed(() => tenant.send(rawMail()))
    await tenant.until(last.id, ({ status }) => status === 'delivered')
    await follower.stopAfter(({ data }) => data.email_id === last.id)

    const emails = (await allEmails(tenant)).map(({ id }) => id)
    const records: EmailRecord[] = []
    await inParallel(4, { from: 0, to: emails.length }, async (index) => {
      records.push(await tenant.get(emails[index] ?? ''))
    })
    assertSawAll(follower.seen, records)
    const events = records.flatMap(({ events: all = [] }) => all.map(({ id }) => id))
    console.log(`    ${records.length} emails, ${events.length} events, ${hook.seen.length} requests`)
    assert.ok(records.length > loadMs / 1_000, `only ${records.length} emails`)
    const pushed = () => new Set(hook.seen.map(({ headers }) => headers['webhook-id'] ?? ''))
    await until('every event is pushed', () => new Set(events).isSubsetOf(pushed()) || undefined, 240_000).catch(
      () => {},
    )
    assertPushed(hook, events)
    assert.ok(hook.seen.every((one) => bodyOf(one).data['email_id'] !== undefined))
  })
})
