import assert from 'node:assert/strict'
import { outgoing } from '../../../test/support/sinkAndTransport.ts'
import { simulatorTransport } from './simulatorTransport.ts'

const at = (name: string): string => `${name}@simulator.postrider.dev`

describe('simulator transport', () => {
  it('replies as a magic address determines, and delivers to ordinary addresses', async () => {
    const to = [at('delivered'), at('bounced'), at('deferred+x'), at('complained'), 'ada@receiver.example']
    let atGate: readonly number[] = []
    const gate = async (accepted: readonly number[]): Promise<boolean> => {
      atGate = accepted
      return true
    }
    const { host, results, steps } = await simulatorTransport().send(outgoing({ to, gate }))
    const codes = results.map((result) => (result.kind === 'answered' ? result.reply.code : result.kind))
    assert.deepEqual(codes, [250, 550, 451, 250, 250])
    assert.deepEqual(atGate, [0, 3, 4])
    assert.equal(host, 'simulator')
    assert.equal(steps[1]?.reply, '550 5.1.1 Simulated: no such mailbox')
  })

  it('reports a complaint only for a recipient that it accepted with the gate open', async () => {
    const to = [at('complained+a'), at('delivered')]
    for (const isOpen of [true, false]) {
      const { results } = await simulatorTransport().send(outgoing({ to, gate: async () => isOpen }))
      const complaints = results.map((result) => result.kind === 'answered' && result.complaint !== undefined)
      assert.deepEqual(complaints, [isOpen, false])
    }
  })

  it('does not call the gate when it accepts no recipient', async () => {
    const gate = (): Promise<boolean> => assert.fail('the gate was called')
    const { results } = await simulatorTransport().send(outgoing({ to: [at('bounced')], gate }))
    assert.equal(results[0]?.kind, 'answered')
  })
})
