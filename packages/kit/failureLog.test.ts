import assert from 'node:assert/strict'
import { logFailure, type OutageLogOptions, outageLog, outageSeverity } from './failureLog.ts'
import { Fault } from './fault.ts'

describe('severity of an outage', () => {
  const rig = () => {
    let at = 5_000
    const outage = outageSeverity({ now: () => at })
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

  it('is warn at once for a dependency that was available', () => {
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
    const { failed, recovered, lines } = rig({ reasonField: 'error', now: () => at })
    for (at of [0, 59_999, 60_000, 60_001]) failed('timeout')
    recovered()
    assert.deepEqual(lines, [
      ['info', { error: 'timeout' }, 'away'],
      ['warn', { error: 'timeout' }, 'away'],
      ['info', {}, 'back'],
    ])
  })
})

describe('logFailure', () => {
  it('logs an unavailable dependency as a warning, an expected failure not at all, and others as errors', () => {
    const lines: [string, unknown, string | undefined][] = []
    const log = {
      warn: (fields: unknown, message?: string) => void lines.push(['warn', fields, message]),
      error: (fields: unknown, message?: string) => void lines.push(['error', fields, message]),
    }
    const [outage, bug] = [new Fault('unavailable', 'no answer'), new Error('a bug')]
    logFailure(log, { err: outage, item: 1 }, 'item failed')
    logFailure(log, { err: new Fault('unavailable', 'busy', { expected: true }), item: 2 }, 'item failed')
    logFailure(log, { err: bug, item: 3 }, 'item failed')
    assert.deepEqual(lines, [
      ['warn', { err: outage, item: 1 }, 'item failed'],
      ['error', { err: bug, item: 3 }, 'item failed'],
    ])
  })
})
