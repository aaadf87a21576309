import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { shortOrLong } from '../faults/random.ts'
import { answered, fresh } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import type { SinkScript } from '../support/smtpSink.ts'
import { until } from '../support/until.ts'
import type { Member } from './member.ts'
import { useCluster } from './shared.ts'

const mails = 60
const leaseMs = 30_000
/** In the short form the test makes the leases expire instead, so that only the fence refuses the paused dispatcher. */
const pausedMs = shortOrLong(0, 60_000)

/** The number of connections that one dispatcher has open at the same time. */
const maxOpen = 20

const addresses = Array.from({ length: mails }, (_, n) => fresh(n % 2 === 0 ? 'before' : 'after'))

describe('dispatcher that is paused during deliveries (I15)', () => {
  const system = useCluster()

  /** Makes the sink delay half of the emails before and half after their final dot, until `release` is called. */
  const delayReplies = () => {
    const released = Promise.withResolvers<void>()
    const state = { isDelaying: true, before: 0, after: 0 }
    const script: SinkScript = ({ at, to, line }) => {
      const counter =
        at === 'RCPT' && line.includes('before')
          ? 'before'
          : at === 'dot' && to[0]?.startsWith('after')
            ? 'after'
            : null
      if (!state.isDelaying || !counter) return null
      state[counter]++
      return { after: released.promise }
    }
    system().script(script)
    const release = (): void => {
      state.isDelaying = false
      released.resolve()
    }
    return { state, release }
  }

  const others = (paused: Member): Member[] =>
    system()
      .cluster.of('dispatcher')
      .filter((one) => one !== paused)

  const expireLeases = async (paused: Member, selected: object) => {
    if (pausedMs > 0) return pause(pausedMs)
    const emails = system().records.collection('emails')
    const earlier = { leaseUntil: -leaseMs, dueAt: -leaseMs }
    const { modifiedCount } = await emails.updateMany({ ...selected, leaseUntil: { $ne: null } }, { $inc: earlier })
    assert.equal(modifiedCount, mails, `${paused.service} ${paused.number} has not leased all emails`)
  }

  it('cannot write afterwards, while others send its mail, and all second copies are marked', async () => {
    const { cluster, client, sink, records } = system()
    const [paused] = cluster.of('dispatcher')
    if (!paused) throw new Error('there is no dispatcher')
    using stack = new DisposableStack()
    const tenant = await client.tenant()
    await Promise.all(others(paused).map((one) => one.stop()))
    const { state, release } = delayReplies()
    stack.defer(release)
    // Mail of other tests may arrive too.
    const received = () => sink.messages.flatMap(({ to }) => to).filter((to) => addresses.includes(to))
    const send = (to: string) =>
      answered(() => tenant.send({ to: [to], subject: to, text: 'Hello.' }, { 'idempotency-key': to }))
    const responses = await Promise.all(addresses.map(send))
    const ids = responses.map(({ body }) => body.id)
    const selected = { _id: { $in: ids as never[] } }
    await until('it has begun all deliveries that it may', () =>
      state.before + state.after === maxOpen ? true : undefined,
    )
    const leased = () => records.collection('emails').countDocuments({ ...selected, leaseUntil: { $ne: null } })
    await until('it has claimed the rest', async () => ((await leased()) === mails ? true : undefined))

    // The dispatcher chose these of 30 of each kind: the chance that one kind is missing is below 10^-7.
    assert.ok(state.before > 0 && state.after > 0, `${state.before} before the dot, ${state.after} after it`)
    paused.pause()
    stack.defer(() => paused.resume())
    release()
    await Promise.all([expireLeases(paused, selected), ...others(paused).map((one) => one.start())])
    const delivered = await Promise.all(ids.map((id) => tenant.until(id, ({ status }) => status === 'delivered')))
    const marked = (email: EmailRecord) => email.attempts?.filter((one) => one.possible_duplicate).length ?? 0
    await until('the sink has replied to all deliveries', () =>
      received().length >= mails + state.after ? true : undefined,
    )
    const arrived = received().length

    paused.resume()
    const lost = () => paused.output().split('lease lost to another worker').length - 1
    await until('it has detected the lost emails', () => (lost() >= maxOpen ? true : undefined))
    await until('it is ready again', async () => ((await paused.ready()) ? true : undefined))
    assert.equal(received().length, arrived, 'it sent mail after it lost its lease')
    for (const [number, email] of delivered.entries()) {
      const copies = received().filter((to) => to === addresses[number]).length
      assert.equal(copies, 1 + marked(email), `${addresses[number]}: ${copies} copies, ${marked(email)} marked`)
      assert.deepEqual(await tenant.get(email.id), email, 'it overwrote what another dispatcher had written')
    }
    assert.equal(
      delivered.map(marked).reduce((sum, one) => sum + one),
      state.after,
    )
  })
})
