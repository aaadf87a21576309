import assert from 'node:assert/strict'
import { outageSeverity } from './outage.ts'

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
