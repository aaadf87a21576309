import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { connect } from '../../test/support/client.ts'
import { Config } from './config.ts'
import { serve } from './serve.ts'
import { standaloneMetrics, startStandalone } from './standalone.ts'

describe('the HTTP edge of one process', () => {
  // It measured durations by the wall clock: when that was set back an hour, requests waited an hour longer.
  it('ends a wait for events after its time, even if the wall clock does not advance', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'postrider-edge-'))
    const config = Config.parse({ PORT: '0', POSTRIDER_DATA: directory, POSTRIDER_ROUTE: 'mailbox:' })
    const quiet = () => {}
    const log = { info: quiet, warn: quiet, error: console.error, fatal: console.error } as never
    const metrics = makeMetrics(standaloneMetrics)
    const service = await startStandalone({ config, log, metrics, onFatal: (reason) => assert.fail(String(reason)) })
    const startedAt = Date.now()
    const edge = await serve({ config, log, metrics, service, now: () => startedAt })
    const client = connect(edge.url, '')
    try {
      const api = client.withKey(edge.first?.testKey ?? assert.fail('no first key'))
      const path = '/api/v1/events?type=email.complained&wait=1'
      const { status, body } = await api.call<{ data: unknown[] }>({ path })
      assert.deepEqual([status, body.data], [200, []])
    } finally {
      client.close()
      await edge[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    }
  })
})
