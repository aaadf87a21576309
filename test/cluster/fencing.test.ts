import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { shortOrLong } from '../faults/random.ts'
import { fresh } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import type { SinkScript } from '../support/smtpSink.ts'
import { until } from '../support/until.ts'
import type { Member } from './member.ts'
import { useCluster } from './shared.ts'

const mails = 60
const leaseMs = 30_000
/** In the short form the leases are made old instead: then nothing but the fence refuses who slept. */
const asleepMs = shortOrLong(0, 60_000)

/** What one dispatcher has open with the server at once. */
const mostOpen = 20

const addresses = Array.from({ length: mails }, (_, n) => fresh(n % 2 === 0 ? 'before' : 'after'))

describe('a dispatcher that stands still while it holds mail (I15)', () => {
  const system = useCluster()

  /** Half of the mails wait before their final dot, half behind it, until `release` is called. */
  const holding = () => {
    const released = Promise.withResolvers<void>()
    const state = { held: true, before: 0, after: 0 }
    const script: SinkScript = ({ at, to, line }) => {
      const place =
        at === 'RCPT' && line.includes('before')
          ? 'before'
          : at === 'dot' && to[0]?.startsWith('after')
            ? 'after'
            : null
      if (!state.held || !place) return null
      state[place]++
      return { after: released.promise }
    }
    system().script(script)
    const release = (): void => {
      state.held = false
      released.resolve()
    }
    return { state, release }
  }

  const others = (still: Member): Member[] =>
    system()
      .cluster.of('dispatcher')
      .filter((one) => one !== still)

  const rest = async (still: Member, mine: object) => {
    if (asleepMs > 0) return pause(asleepMs)
    const emails = system().records.collection('emails')
    const old = { leaseUntil: -leaseMs, dueAt: -leaseMs }
    const { modifiedCount } = await emails.updateMany({ ...mine, leaseUntil: { $ne: null } }, { $inc: old })
    assert.equal(modifiedCount, mails, `${still.service} ${still.number} doesn't hold all of it`)
  }

  it('others take over, and what it does when it wakes up is refused: nothing is sent twice but what is marked', async function () {
    this.timeout(shortOrLong(60_000, 180_000))
    const { cluster, client, sink, records } = system()
    const [still] = cluster.of('dispatcher')
    if (!still) throw new Error('there is no dispatcher')
    using stack = new DisposableStack()
    const tenant = await client.tenant()
    await Promise.all(others(still).map((one) => one.stop()))
    const { state, release } = holding()
    stack.defer(release)
    // Mail of other tests may arrive too.
    const taken = () => sink.messages.flatMap(({ to }) => to).filter((to) => addresses.includes(to))
    const answers = await Promise.all(addresses.map((to) => tenant.send({ to: [to], subject: to, text: 'Hello.' })))
    const ids = answers.map(({ body }) => body.id)
    const mine = { _id: { $in: ids as never[] } }
    await until('it has in work what it can', () => (state.before + state.after === mostOpen ? true : undefined))
    const leased = () => records.collection('emails').countDocuments({ ...mine, leaseUntil: { $ne: null } })
    await until('it has claimed the rest', async () => ((await leased()) === mails ? true : undefined))

    assert.ok(state.before > 2 && state.after > 2, `${state.before} before the dot, ${state.after} behind it`)
    still.pause()
    stack.defer(() => still.resume())
    release()
    await Promise.all([rest(still, mine), ...others(still).map((one) => one.start())])
    const delivered = await Promise.all(
      ids.map((id) => tenant.until(id, ({ status }) => status === 'delivered', 45_000)),
    )
    const marked = (email: EmailRecord) => email.attempts?.filter((one) => one.possible_duplicate).length ?? 0
    await until('the sink has thought about all of it', () =>
      taken().length >= mails + state.after ? true : undefined,
    )
    const arrived = taken().length

    still.resume()
    const lost = () => still.output().split('another worker has this email now').length - 1
    const unbegun = () => still.output().split('claimed ahead').length - 1
    await until('it has seen what happened', () => (lost() + unbegun() >= mostOpen ? true : undefined), 20_000)
    await until('it works again', async () => ((await still.ready()) ? true : undefined))
    assert.equal(taken().length, arrived, 'it sent something after its lease was lost')
    for (const [number, email] of delivered.entries()) {
      const copies = taken().filter((to) => to === addresses[number]).length
      assert.equal(copies, 1 + marked(email), `${addresses[number]}: ${copies} copies, ${marked(email)} marked`)
      assert.deepEqual(await tenant.get(email.id), email, 'it changed what another had written')
    }
    assert.equal(
      delivered.map(marked).reduce((sum, one) => sum + one),
      state.after,
    )
  })
})
