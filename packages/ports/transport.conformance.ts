import assert from 'node:assert/strict'
import type { Outgoing, Transport } from './transport.ts'

/** A transport and the messages its server has received; null when it has no server. */
type OpenTransport = {
  transport: Transport
  arrived: (() => Promise<readonly { from: string; to: readonly string[] }[]>) | null
}

type Open = () => Promise<OpenTransport>

const outgoing = (number: number, change: Partial<Outgoing> = {}): Outgoing => ({
  emailId: `em_${number}`,
  attemptId: `att_${String(number).padStart(6, '0')}`,
  workspace: 'ws_1',
  mode: 'live',
  from: 'bounce@sender.example',
  to: ['ada@receiver.example'],
  raw: Buffer.from(`Subject: number ${number}\r\n\r\n.begins with a dot\r\n`),
  gate: async () => true,
  ...change,
})

const isAccepted = (result: unknown): boolean => {
  const { kind, reply } = result as { kind: string; reply?: { code: number } }
  return kind === 'answered' && reply?.code === 250
}

const outcomesSuite = (open: Open): void => {
  it('returns a result for each recipient, in the order of the envelope', async () => {
    const { transport, arrived } = await open()
    const to = ['a@receiver.example', 'b@receiver.example', 'c@receiver.example']
    const { host, steps, results } = await transport.send(outgoing(1, { to }))
    assert.equal(results.length, 3)
    assert.ok(results.every(isAccepted), JSON.stringify(results))
    assert.notEqual(host, '')
    assert.ok(steps.length > 0)
    if (arrived !== null) assert.deepEqual((await arrived()).map(envelopeOf), [{ from: 'bounce@sender.example', to }])
  })

  it('sends the null sender as an empty return path', async () => {
    const { transport, arrived } = await open()
    const { results } = await transport.send(outgoing(1, { from: '' }))
    assert.ok(results.every(isAccepted))
    if (arrived !== null) assert.equal((await arrived())[0]?.from, '')
  })

  it('delivers many simultaneous messages once each', async () => {
    const { transport, arrived } = await open()
    const numbers = Array.from({ length: 200 }, (_, number) => number)
    const sent = await Promise.all(
      numbers.map((number) => transport.send(outgoing(number, { to: [`n${number}@receiver.example`] }))),
    )
    assert.ok(sent.every(({ results }) => results.every(isAccepted)))
    if (arrived === null) return
    const to = (await arrived()).flatMap((one) => one.to)
    assert.equal(to.length, 200)
    assert.equal(new Set(to).size, 200)
  })
}

const gateSuite = (open: Open): void => {
  it('calls the gate once, with the accepted recipients, before anything has arrived', async () => {
    const { transport, arrived } = await open()
    const gateCalls: (readonly number[])[] = []
    let before = 0
    const gate = async (accepted: readonly number[]): Promise<boolean> => {
      gateCalls.push(accepted)
      before = (await arrived?.())?.length ?? 0
      return true
    }
    await transport.send(outgoing(1, { to: ['a@receiver.example', 'b@receiver.example'], gate }))
    assert.deepEqual(gateCalls, [[0, 1]])
    assert.equal(before, 0)
  })

  it('sends nothing through a closed gate and delivers the next message', async () => {
    const { transport, arrived } = await open()
    const { results } = await transport.send(outgoing(1, { gate: async () => false }))
    assert.deepEqual(results, [{ kind: 'gate_closed' }])
    const next = await transport.send(outgoing(2))
    assert.ok(next.results.every(isAccepted))
    if (arrived !== null) assert.equal((await arrived()).length, 1)
  })

  it('sends nothing when the gate throws, and the send throws the same error', async () => {
    const { transport, arrived } = await open()
    const gate = async (): Promise<boolean> => {
      throw new Error('the store is gone')
    }
    await assert.rejects(transport.send(outgoing(1, { gate })), /the store is gone/)
    assert.ok((await transport.send(outgoing(2))).results.every(isAccepted))
    if (arrived !== null) assert.equal((await arrived()).length, 1)
  })

  it('completes a send that runs when close is called', async () => {
    const { transport } = await open()
    const gateCalled = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<boolean>()
    const gate = (): Promise<boolean> => {
      gateCalled.resolve()
      return answer.promise
    }
    const sending = transport.send(outgoing(1, { gate }))
    await gateCalled.promise
    const closing = transport.close()
    answer.resolve(true)
    assert.ok((await sending).results.every(isAccepted))
    await closing
  })
}

const envelopeOf = ({ from, to }: { from: string; to: readonly string[] }) => ({ from, to })

/**
 * Declares the tests that every transport must pass against a server that accepts everything. `open` returns a new one.
 */
export const transportConformance = (name: string, open: Open): void => {
  describe(`transport ${name}`, () => {
    outcomesSuite(open)
    gateSuite(open)
  })
}
