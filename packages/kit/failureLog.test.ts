import assert from 'node:assert/strict'
import { logFailure, type OutageLogOptions, oncePerMinute, outageLog, outageSeverity } from './failureLog.ts'
import { Fault } from './fault.ts'

describe('severity of an outage', () => {
  const rig = () => {
    let at = 5_000
    const outage = outageSeverity({ elapsed: () => at })
    const pass = (ms: number): void => {
      at += ms
    }
    return { ...outage, pass }
  }

  it('is info while a dependency has not been available yet, and warn after a minute', () => {
    const { failed, pass } = rig()
    assert.equal(failed(), 'info')
    pass(59_999)
    assert.equal(failed(), 'info')
    pass(1)
    assert.equal(failed(), 'warn')
  })

  it('is warn immediately for a dependency that was available', () => {
    const { failed, recovered } = rig()
    recovered()
    assert.equal(failed(), 'warn')
  })
})

describe('log of an outage', () => {
  type Line = [level: string, fields: unknown, message: string | undefined]
  const rig = (options: Partial<OutageLogOptions> = {}) => {
    const lines: Line[] = []
    const note = (level: string) => (fields: unknown, message?: string) => void lines.push([level, fields, message])
    const log = { info: note('info'), warn: note('warn') }
    return { ...outageLog(log, { failed: 'away', recovered: 'back', ...options }), lines }
  }

  it('has one line for each reason in a row, and one for its end', () => {
    const { failed, recovered, lines } = rig({ fields: { lane: 'marketing' } })
    recovered()
    const [refused, late] = [new Error('refused'), new Error('late')]
    for (const reason of [refused, new Error('refused'), late]) failed(reason)
    recovered()
    recovered()
    failed(late)
    assert.deepEqual(lines, [
      ['warn', { lane: 'marketing', err: refused }, 'away'],
      ['warn', { lane: 'marketing', err: late }, 'away'],
      ['info', { lane: 'marketing' }, 'back'],
      ['warn', { lane: 'marketing', err: late }, 'away'],
    ])
  })

  it('repeats the reason when a wait at start becomes a warning', () => {
    let at = 0
    const { failed, recovered, lines } = rig({ reasonField: 'error', elapsed: () => at })
    for (at of [0, 59_999, 60_000, 60_001]) failed('timeout')
    recovered()
    assert.deepEqual(lines, [
      ['info', { error: 'timeout' }, 'away'],
      ['warn', { error: 'timeout' }, 'away'],
      ['info', {}, 'back'],
    ])
  })
})

describe('line once per minute', () => {
  it('is written once for each name in a minute, with the number of omitted lines', () => {
    let at = 0
    const once = oncePerMinute(() => at)
    const lines: [name: string, omitted: number][] = []
    for (const [time, name] of [
      [0, 'a'],
      [0, 'b'],
      [1, 'a'],
      [59_999, 'a'],
      [60_000, 'a'],
      [60_001, 'a'],
      [120_001, 'a'],
    ] as const) {
      at = time
      once(name, (omitted) => lines.push([name, omitted]))
    }
    assert.deepEqual(lines, [
      ['a', 0],
      ['b', 0],
      ['a', 2],
      ['a', 1],
    ])
  })

  it('is written when the clock was set back', () => {
    let at = 100_000
    const once = oncePerMinute(() => at)
    let lines = 0
    const write = () => void lines++
    once('a', write)
    at = 0
    once('a', write)
    assert.equal(lines, 2)
  })
})

describe('logFailure', () => {
  it('logs an unavailable dependency as a warning, an expected failure not at all, and other failures as errors', () => {
    const lines: [string, unknown, string | undefined][] = []
    const log = {
      warn: (fields: unknown, message?: string) => void lines.push(['warn', fields, message]),
      error: (fields: unknown, message?: string) => void lines.push(['error', fields, message]),
    }
    const [outage, bug] = [new Fault('unavailable', 'no response'), new Error('a bug')]
    logFailure(log, { err: outage, item: 1 }, 'item failed')
    logFailure(log, { err: new Fault('unavailable', 'busy', { expected: true }), item: 2 }, 'item failed')
    logFailure(log, { err: bug, item: 3 }, 'item failed')
    assert.deepEqual(lines, [
      ['warn', { err: outage, item: 1 }, 'item failed'],
      ['error', { err: bug, item: 3 }, 'item failed'],
    ])
  })
})
