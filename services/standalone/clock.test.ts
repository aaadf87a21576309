import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { connect } from '../../test/support/client.ts'
import { Config } from './config.ts'
import { serve } from './serve.ts'
import { standaloneMetrics, startStandalone } from './standalone.ts'

describe('standalone whose clock is set forward', () => {
  // The gateway measured durations with the wall clock: each such change filled every bucket again.
  it('still limits wrong operator tokens', async () => {
    await using stack = new AsyncDisposableStack()
    const directory = await mkdtemp(join(tmpdir(), 'postrider-clock-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const wallClock = Date.now
    let aheadMs = 0
    const mocked = mock.method(Date, 'now', () => wallClock() + aheadMs)
    stack.defer(() => mocked.mock.restore())
    const config = Config.parse({ PORT: '0', POSTRIDER_DATA: directory, POSTRIDER_ROUTE: 'mailbox:' })
    const quiet = () => {}
    const log = { info: quiet, warn: quiet, error: console.error, fatal: console.error } as never
    const metrics = makeMetrics(standaloneMetrics)
    const onFatal = (reason: unknown) => assert.fail(String(reason))
    const service = stack.use(await startStandalone({ config, log, metrics, onFatal }))
    const edge = stack.use(await serve({ config, log, metrics, service }))
    const client = connect(edge.url, '')
    stack.defer(() => client.close())
    const guess = async (): Promise<number> =>
      (await client.withKey('wrong').call({ path: '/api/v1/operator/parked' })).status

    let guesses = 0
    while ((await guess()) !== 429) assert.ok(++guesses < 100)
    aheadMs = 3_600_000
    assert.equal(await guess(), 429)
  })
})
