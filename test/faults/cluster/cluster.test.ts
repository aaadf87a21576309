import assert from 'node:assert/strict'
import { needsOwnBackends } from '../../backends/backends.ts'
import { check } from '../check.ts'
import { numbers } from '../random.ts'
import { faultless, takenBy } from '../recorder.ts'
import { type ClusterRig, openClusterRig } from './clusterRig.ts'
import { kafkaAway } from './kafkaAway.ts'
import { killedProcesses } from './killedProcesses.ts'
import { oneKey } from './oneKey.ts'
import { redisAway } from './redisAway.ts'
import { replicaTrouble } from './replicaTrouble.ts'
import { answeredWithinMs, storeTrouble } from './storeTrouble.ts'

const startMs = 120_000
const settleMs = numbers(300_000, 3_600_000)

describe('a cluster under faults', () => {
  needsOwnBackends()
  let opened: ClusterRig | null = null
  let failed = false
  const rig = (): ClusterRig => opened ?? assert.fail('the cluster is there inside of tests only')

  before(async function startCluster() {
    this.timeout(startMs)
    opened = await openClusterRig()
  })
  afterEach(async function mendAfterFailure() {
    this.timeout(startMs)
    if (this.currentTest?.state !== 'failed') return
    failed = true
    await opened?.mend()
  })
  after(async function stopCluster() {
    this.timeout(startMs)
    if (failed && opened) console.log(`    what its processes printed: ${await opened.keepLogs()}`)
    await opened?.[Symbol.asyncDispose]()
  })

  describe('one key (I5)', () => oneKey(rig))
  describe('Redis away (I22)', () => redisAway(rig))
  describe('Kafka away (I16, I18)', () => kafkaAway(rig))
  describe('a replica lost', () => replicaTrouble(rig))
  describe('a store in trouble (I19)', () => storeTrouble(rig))
  describe('processes killed (I1, I2, I8, I11)', () => killedProcesses(rig))

  describe('when all of that is over', function () {
    this.timeout(settleMs)

    it('nothing is lost, sent twice without its mark, made up or overspent', async () => {
      const { rounds, sink } = rig()
      await rig().well()
      const verdicts = []
      for (const round of rounds) {
        await round.settled()
        const found = await round.found()
        verdicts.push({ round: round.name, wrong: round.wrong(), ...check(found) })
        const recipients = found.kept.flatMap((email) => email.recipients).length
        const { length: copies } = found.taken
        console.log(`    ${round.name}: ${found.kept.length} emails, ${recipients} recipients, ${copies} copies`)
      }
      const well = rounds.map(({ name }) => ({ round: name, wrong: [], ...faultless }))
      assert.deepEqual(verdicts, well)
      const known = new Set(rounds.flatMap(({ journal }) => journal.asked().map(({ testId }) => testId)))
      assert.deepEqual(
        takenBy(sink).filter(({ testId }) => !known.has(testId)),
        [],
      )
    })

    it('every request was answered in time, and told to come again when it was refused', () => {
      for (const { journal } of rig().rounds) {
        const answers = journal.entries().filter((entry) => entry.event === 'answered')
        assert.deepEqual(
          answers.filter(({ tookMs }) => tookMs > answeredWithinMs(rig())),
          [],
        )
        assert.deepEqual(
          answers.filter(({ status, retryAfter }) => status >= 400 && retryAfter === null),
          [],
        )
      }
    })
  })
})
