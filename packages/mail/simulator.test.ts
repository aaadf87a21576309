import assert from 'node:assert/strict'
import { simulatorOutcome } from './simulator.ts'

const cases = [
  ['delivered@simulator.postrider.dev', 'delivered'],
  ['bounced@simulator.postrider.dev', 'bounced'],
  ['deferred@simulator.postrider.dev', 'deferred'],
  ['complained@simulator.postrider.dev', 'complained'],
  ['suppressed@simulator.postrider.dev', 'suppressed'],
  ['bounced+order-17@simulator.postrider.dev', 'bounced'],
  ['Bounced+A+b@Simulator.Postrider.Dev', 'bounced'],
  ['nobody@simulator.postrider.dev', null],
  ['constructor@simulator.postrider.dev', null],
  ['@simulator.postrider.dev', null],
  ['bounced@example.com', null],
  ['bounced@sub.simulator.postrider.dev', null],
  ['bounced@simulator.postrider.dev.example.com', null],
  ['', null],
] as const

describe('simulatorOutcome', () => {
  for (const [address, outcome] of cases) {
    it(`${address || 'an empty string'} is ${outcome ?? 'an ordinary address'}`, () => {
      assert.equal(simulatorOutcome(address), outcome)
    })
  }
})
