import assert from 'node:assert/strict'
import { caller, mail, noon, request, testIntake } from '../../test/support/testIntake.ts'
import { sampleLimit } from './readQueues.ts'

const hour = 3_600_000

describe('queues for the operator', () => {
  it('the queues are empty without mail', async () => {
    await using system = await testIntake()
    const none = { due: 0, oldest_due_at: null, waiting: 0, scheduled: 0, test: 0, bytes: 0 }
    assert.deepEqual(await system.intake.GetQueues({}), {
      lanes: [
        { lane: 'transactional', ...none },
        { lane: 'marketing', ...none },
      ],
      parked: 0,
      destinations: [],
      sampled: 0,
      sample_limit: sampleLimit,
    })
  })

  it('count mail by lane, and recipients by destination', async () => {
    await using system = await testIntake()
    await system.send()
    await system.send({ sendAt: { at: noon + hour }, to: [{ name: '', address: 'carl@other.example' }] })
    await system.intake.Submit(request({ caller: caller({ mode: 'test' }), mail: mail() }))
    system.time.at += 1_000
    const { lanes, destinations, sampled } = await system.intake.GetQueues({})
    const { bytes = 0, ...transactional } = lanes[0] ?? {}
    assert.deepEqual(transactional, {
      lane: 'transactional',
      due: 2,
      oldest_due_at: noon,
      waiting: 3,
      scheduled: 1,
      test: 1,
    })
    const stored = await system.emails.queueCounts()
    assert.ok(bytes > 0)
    assert.equal(
      bytes,
      stored.reduce((sum, one) => sum + one.bytes, 0),
    )
    assert.equal(lanes[1]?.waiting, 0)
    assert.equal(sampled, 3)
    assert.deepEqual(destinations, [
      { domain: 'example.com', recipients: 4, due: 4, deferred: 0, next_at: noon },
      {
        domain: 'other.example',
        recipients: 1,
        due: 0,
        deferred: 0,
        next_at: noon + hour,
      },
    ])
  })

  it('sample the mail that is due first', async () => {
    await using system = await testIntake()
    await system.send({ sendAt: { at: noon + hour }, to: [{ name: '', address: 'late@late.example' }] })
    for (let count = 0; count < sampleLimit; count++)
      await system.intake.Submit(request({ caller: caller({ mode: 'test' }), mail: mail() }))
    const { lanes, destinations, sampled } = await system.intake.GetQueues({})
    assert.deepEqual([lanes[0]?.waiting, sampled], [sampleLimit + 1, sampleLimit])
    assert.deepEqual(
      destinations.map(({ domain, recipients }) => [domain, recipients]),
      [['example.com', 2 * sampleLimit]],
    )
  })
})
