import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { mapStoreErrors } from '@postrider/adapters/mongo/client/errors.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { useBackend } from '../backends/backends.ts'
import { timerMs } from '../support/cost.ts'
import { type TcpProxy, tcpProxy } from '../support/tcpProxy.ts'
import { until } from '../support/until.ts'

/** Exceeds all buffers between client and server. */
const long = { bytes: Buffer.alloc(15 * 2 ** 20, 'x') }
/**
 * Apart from its timeouts a failing write does less than one that succeeds, so it uses less than five times its time.
 */
const writesPerFailure = 5

const undefinedIfUnavailable = (thrown: unknown): undefined => {
  if (!(thrown instanceof Fault && thrown.code === 'unavailable')) throw thrown
}

const faults: [how: string, end: (proxy: TcpProxy) => unknown][] = [
  ['hangs', () => {}],
  ['is closed', (proxy) => proxy.cut()],
  ['is reset', (proxy) => proxy.reset()],
]

// Regression: the client waited without limit for a closed socket, or threw a system error, which became a 500.
describe('connection to the store that fails during a write (I19)', function storeStuck() {
  const address = useBackend('mongodb')

  for (const [how, end] of faults) {
    it(`makes writes fail as unavailable in time if it ${how}, and they succeed when the network recovers`, async () => {
      await using proxy = await tcpProxy({ to: address() })
      await using mongo = await connectMongo({ url: proxy.address, name: 'faults' })
      const notes = mongo.db.client.db(`postrider_${randomBytes(6).toString('hex')}`).collection('notes')
      const write = () => mapStoreErrors(() => notes.insertOne({ ...long }))
      const three = (check: (writing: Promise<unknown>) => Promise<unknown>) =>
        Promise.all(Array.from({ length: 3 }, () => check(write())))
      // The first writes open the connections. On a busy machine writes may exceed the limits of the client.
      const workingMs = await until('three writes succeed', () =>
        timerMs(() => three((writing) => writing)).catch(undefinedIfUnavailable),
      )
      proxy.halfOpen()
      const failing = three((writing) => assert.rejects(writing, { code: 'unavailable' }))
      await until('a write is blocked', () => proxy.isBlocked() || undefined)
      const failingMs = await timerMs(() => Promise.all([failing, end(proxy)]))
      const { serverSelectionTimeoutMS: selectMs = 0, socketTimeoutMS: responseMs = 0 } = mongo.db.client.options
      // The driver repeats a write once.
      const limitMs = selectMs + 2 * responseMs + writesPerFailure * workingMs
      assert.ok(failingMs <= limitMs, `failed after ${failingMs} ms, which is more than ${limitMs} ms`)
      await proxy.heal()
      await until('a write succeeds', () => write().catch(undefinedIfUnavailable))
      await notes.drop()
    })
  }
})
