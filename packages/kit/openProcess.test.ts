import assert from 'node:assert/strict'
import { openProcess } from './openProcess.ts'
import type { Open } from './run.ts'

describe('process of a cluster', () => {
  it('is not ready from the stop signal on, before anything closes', async () => {
    await using stack = new AsyncDisposableStack()
    const stopping = new AbortController()
    const open: Open = {
      use: (resource) => stack.use(resource),
      defer: (close) => stack.defer(close),
      fail: (reason) => assert.fail(String(reason)),
      finish: () => assert.fail('finished'),
      stopping: stopping.signal,
      stopReason: () => 'SIGTERM',
      redact: (text) => text,
    }
    const config = { POSTRIDER_HOST: 'localhost', METRICS_PORT: 0, LOG_LEVEL: 'silent' }
    const { readiness, started } = await openProcess(open, 'test', config)
    started()
    assert.equal(await readiness.ready(), true)
    stopping.abort()
    assert.equal(await readiness.ready(), false)
  })
})
