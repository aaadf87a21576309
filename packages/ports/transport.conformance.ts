import assert from 'node:assert/strict'
import type { Outgoing, Transport } from './transport.ts'

/** A transport and, where it leads anywhere, what has arrived there so far. */
export type OpenTransport = {
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

const isTaken = (result: unknown): boolean => {
  const { kind, reply } = result as { kind: string; reply?: { code: number } }
  return kind === 'answered' && reply?.code === 250
}

const outcomesSuite = (open: Open): void => {
  it('every recipient of a message that is taken has an answer of its own, in the order of the envelope', async () => {
    const { transport, arrived } = await open()
    const to = ['a@receiver.example', 'b@receiver.example', 'c@receiver.example']
    const { host, steps, results } = await transport.send(outgoing(1, { to }))
    assert.equal(results.length, 3)
    assert.ok(results.every(isTaken), JSON.stringify(results))
    assert.notEqual(host, '')
    assert.ok(steps.length > 0)
    if (arrived !== null) assert.deepEqual((await arrived()).map(envelopeOf), [{ from: 'bounce@sender.example', to }])
  })

  it('the null sender stays empty', async () => {
    const { transport, arrived } = await open()
    const { results } = await transport.send(outgoing(1, { from: '' }))
    assert.ok(results.every(isTaken))
    if (arrived !== null) assert.equal((await arrived())[0]?.from, '')
  })

  it('many messages at once arrive once each', async () => {
    const { transport, arrived } = await open()
    const numbers = Array.from({ length: 200 }, (_, number) => number)
    const sent = await Promise.all(
      numbers.map((number) => transport.send(outgoing(number, { to: [`n${number}@receiver.example`] }))),
    )
    assert.ok(sent.every(({ results }) => results.every(isTaken)))
    if (arrived === null) return
    const to = (await arrived()).flatMap((one) => one.to)
    assert.equal(to.length, 200)
    assert.equal(new Set(to).size, 200)
  })
}

const gateSuite = (open: Open): void => {
  it('the gate is asked once, with the recipients that were accepted, before anything has arrived', async () => {
    const { transport, arrived } = await open()
    const asked: (readonly number[])[] = []
    let before = 0
    const gate = async (accepted: readonly number[]): Promise<boolean> => {
      asked.push(accepted)
      before = (await arrived?.())?.length ?? 0
      return true
    }
    await transport.send(outgoing(1, { to: ['a@receiver.example', 'b@receiver.example'], gate }))
    assert.deepEqual(asked, [[0, 1]])
    assert.equal(before, 0)
  })

  it('a closed gate lets nothing through, and the next message finds it well', async () => {
    const { transport, arrived } = await open()
    const { results } = await transport.send(outgoing(1, { gate: async () => false }))
    assert.deepEqual(results, [{ kind: 'gate_closed' }])
    const next = await transport.send(outgoing(2))
    assert.ok(next.results.every(isTaken))
    if (arrived !== null) assert.equal((await arrived()).length, 1)
  })

  it('a gate that throws lets nothing through, and the send fails by the same', async () => {
    const { transport, arrived } = await open()
    const gate = async (): Promise<boolean> => {
      throw new Error('the store is gone')
    }
    await assert.rejects(transport.send(outgoing(1, { gate })), /the store is gone/)
    assert.ok((await transport.send(outgoing(2))).results.every(isTaken))
    if (arrived !== null) assert.equal((await arrived()).length, 1)
  })

  it('a send that runs when close is called ends as if nothing was', async () => {
    const { transport } = await open()
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<boolean>()
    const gate = (): Promise<boolean> => {
      asked.resolve()
      return answer.promise
    }
    const sending = transport.send(outgoing(1, { gate }))
    await asked.promise
    const closing = transport.close()
    answer.resolve(true)
    assert.ok((await sending).results.every(isTaken))
    await closing
  })
}

const envelopeOf = ({ from, to }: { from: string; to: readonly string[] }) => ({ from, to })

/** What every transport must do, towards a server that takes all. `open` gives a new one, where nothing has arrived. */
export const transportConformance = (name: string, open: Open): void => {
  describe(`the transport ${name}`, () => {
    outcomesSuite(open)
    gateSuite(open)
  })
}
