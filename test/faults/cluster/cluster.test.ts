import assert from 'node:assert/strict'
import { needsOwnBackends } from '../../backends/backends.ts'
import { check, faultless } from '../check.ts'
import { shortOrLong } from '../random.ts'
import { receivedCopies } from '../recorder.ts'
import { type ClusterRig, openClusterRig } from './clusterRig.ts'
import { kafkaOutage } from './kafkaOutage.ts'
import { killedProcesses } from './killedProcesses.ts'
import { oneKey } from './oneKey.ts'
import { redisOutage } from './redisOutage.ts'
import { replicaFaults } from './replicaFaults.ts'
import { responseLimitMs, storeFaults } from './storeFaults.ts'

const startMs = 600_000
const settleMs = shortOrLong(300_000, 3_600_000)

describe('cluster under faults', () => {
  needsOwnBackends()
  let opened: ClusterRig | null = null
  let failed = false
  const rig = (): ClusterRig => opened ?? assert.fail('the cluster is only available inside tests')

  before(async function startCluster() {
    this.timeout(startMs)
    opened = await openClusterRig()
  })
  afterEach(async function mendAfterFailure() {
    this.timeout(startMs)
    if (this.currentTest?.state !== 'failed') return
    failed = true
    await opened?.repair()
  })
  after(async function stopCluster() {
    this.timeout(startMs)
    if (failed && opened) console.log(`    output of its processes: ${await opened.storeLogs()}`)
    await opened?.[Symbol.asyncDispose]()
  })

  describe('idempotency key (I5)', () => oneKey(rig))
  describe('Redis outage (I22)', () => redisOutage(rig))
  describe('Kafka outage (I16, I18)', () => kafkaOutage(rig))
  describe('loss of a replica', () => replicaFaults(rig))
  describe('store faults (I19)', () => storeFaults(rig))
  describe('killed processes (I1, I2, I8, I11)', () => killedProcesses(rig))

  describe('result of all rounds', function () {
    this.timeout(settleMs)

    it('has no lost, duplicate, phantom or overspent mail', async () => {
      const { rounds, sink } = rig()
      await rig().untilReady()
      const verdicts = []
      for (const round of rounds) {
        await round.ended()
        const found = await round.found()
        verdicts.push({ round: round.name, problems: round.problems(), ...check(found) })
        const recipients = found.emails.flatMap((email) => email.recipients).length
        const { length: copies } = found.copies
        console.log(`    ${round.name}: ${found.emails.length} emails, ${recipients} recipients, ${copies} copies`)
      }
      assert.deepEqual(
        verdicts,
        rounds.map(({ name }) => ({ round: name, problems: [], ...faultless })),
      )
      const known = new Set(rounds.flatMap(({ journal }) => journal.requests().map(({ testId }) => testId)))
      const owners = rounds.map(({ tenant }) => tenant)
      assert.deepEqual(
        receivedCopies(sink, ...owners).filter(({ testId }) => !known.has(testId)),
        [],
      )
    })

    it('has each event once and in order for a reader that followed them (I27)', async () => {
      // Together, because each waits until a reader may see its last events.
      await Promise.all(
        rig().rounds.map(async (round) => console.log(`    ${round.name}: ${await round.assertEvents()} events`)),
      )
    })

    it('has no late response, and no refusal without Retry-After', () => {
      for (const { journal } of rig().rounds) {
        const responses = journal.entries().filter((entry) => entry.event === 'answered')
        assert.deepEqual(
          responses.filter(({ tookMs }) => tookMs > responseLimitMs(rig())),
          [],
        )
        assert.deepEqual(
          responses.filter(({ status, retryAfter }) => status >= 400 && retryAfter === null),
          [],
        )
      }
    })
  })
})
