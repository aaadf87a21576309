import assert from 'node:assert/strict'
import { Registry } from 'prom-client'
import { Fault } from './fault.ts'
import { collectReadiness } from './metrics.ts'
import { type Check, makeReadiness } from './readiness.ts'

const readyFor = (checks: Record<string, Check>, options: Parameters<typeof makeReadiness>[0] = {}) => {
  const readiness = makeReadiness(options)
  for (const [name, check] of Object.entries(checks)) readiness.needs(name, check)
  readiness.started()
  return readiness
}

describe('readiness', () => {
  it('is true when every dependency is available', async () => {
    const ready = readyFor({ store: async () => {}, peer: () => true })
    assert.equal(await ready.ready(), true)
    assert.deepEqual(await ready.report(), { process: 'ok', store: 'ok', peer: 'ok' })
  })

  it('is false while a check throws, returns false or does not respond, and reports the reason', async () => {
    const checks = {
      store: () => {
        throw new Error('refused')
      },
      peer: async () => false,
      slow: () => new Promise(() => {}),
      fine: () => {},
    }
    const ready = readyFor(checks, { timeoutMs: 5 })
    assert.equal(await ready.ready(), false)
    const found = { process: 'ok', store: 'refused', peer: 'not ready', slow: 'no response', fine: 'ok' }
    assert.deepEqual(await ready.report(), found)
  })

  it('readiness is exported as a metric', async () => {
    let there = true
    const registry = new Registry()
    collectReadiness({ registry }, readyFor({ store: () => there }, { cacheMs: -1 }).ready)
    assert.match(await registry.metrics(), /^postrider_ready 1$/m)
    there = false
    assert.match(await registry.metrics(), /^postrider_ready 0$/m)
  })

  it('caches the results for a moment', async () => {
    let [calls, now] = [0, 0]
    const store = (): void => {
      calls += 1
    }
    const ready = readyFor({ store }, { elapsed: () => now, cacheMs: 500 })
    await Promise.all([ready.ready(), ready.ready()])
    assert.equal(calls, 1)
    now = 501
    await ready.ready()
    assert.equal(calls, 2)
  })

  it('shows in its health a peer that was available and disappeared', async () => {
    const ready = makeReadiness({ cacheMs: -1 })
    let there = true
    ready.needsToStart('peer', () => there)
    ready.needs('store', () => {})
    ready.started()
    assert.deepEqual(await ready.health(), { process: 'ok', peer: 'ok', store: 'ok' })
    assert.equal(await ready.ready(), true)
    there = false
    assert.deepEqual(await ready.health(), { process: 'ok', peer: 'not ready', store: 'ok' })
    assert.equal(await ready.ready(), true)
  })

  it('shows in its health a dependency without which it works', async () => {
    const ready = makeReadiness({ cacheMs: -1 })
    ready.watches('cache', () => {
      throw new Error('not connected')
    })
    ready.started()
    assert.deepEqual(await ready.health(), { process: 'ok', cache: 'not connected' })
    assert.deepEqual([await ready.ready(), await ready.report()], [true, { process: 'ok' }])
  })

  it('stays true when a peer that was available disappears', async () => {
    const ready = makeReadiness({ cacheMs: -1 })
    let there = false
    ready.needsToStart('peer', () => there)
    ready.started()
    assert.equal(await ready.ready(), false)
    there = true
    assert.equal(await ready.ready(), true)
    there = false
    assert.equal(await ready.ready(), true)
  })

  // The rollout of a service with a wrong token succeeded, and every call was refused.
  it('is false while a peer that was available refuses this process, and names the peer', async () => {
    let now = 0
    let refuses = false
    const ready = makeReadiness({ cacheMs: -1, elapsed: () => now })
    ready.needsToStart('postrider.quota', () => {
      if (refuses) throw new Fault('forbidden', 'it refuses our token')
    })
    ready.started()
    assert.equal(await ready.ready(), true)
    refuses = true
    now += 10_000
    assert.equal(await ready.ready(), false)
    assert.deepEqual(await ready.report(), { process: 'ok', 'postrider.quota': 'it refuses our token' })
    refuses = false
    assert.equal(await ready.ready(), true)
  })

  it('is false before the start has ended and from the beginning of the stop', async () => {
    const ready = makeReadiness()
    ready.needs('store', () => {})
    assert.equal(await ready.ready(), false)
    assert.deepEqual(await ready.report(), { process: 'starting', store: 'ok' })
    ready.started()
    assert.equal(await ready.ready(), true)
    ready.drain()
    assert.equal(await ready.ready(), false)
    assert.deepEqual(await ready.report(), { process: 'stopping', store: 'ok' })
  })
})
