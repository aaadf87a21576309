import assert from 'node:assert/strict'
import { logFailure, outageSeverity } from './failureLog.ts'
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

  it('is warn immediately for a dependency that was available', () => {
    const { failed, recovered } = rig()
    recovered()
    assert.equal(failed(), 'warn')
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
