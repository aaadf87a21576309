import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { mapStoreErrors } from '@postrider/adapters/mongo/client/errors.ts'
import { useBackend } from '../backends/backends.ts'
import { timerMs } from '../support/cost.ts'
import { type TcpProxy, tcpProxy } from '../support/tcpProxy.ts'

/** Exceeds all buffers between client and server. */
const long = { text: 'x'.repeat(15 * 2 ** 20) }
/** The client's timeouts for a connection and a response, plus the delay of a busy machine. */
const settledWithinMs = 15_000

const faults: [how: string, end: (proxy: TcpProxy) => unknown][] = [
  ['hangs', () => {}],
  ['is closed', (proxy) => proxy.cut()],
  ['is reset', (proxy) => proxy.reset()],
]

// Formerly the client waited without limit for a closed socket, or threw a system error, which became a 500.
describe('connection to the store that fails during a write (I19)', function storeStuck() {
  const address = useBackend('mongodb')

  for (const [how, end] of faults) {
    it(`makes writes fail as unavailable in time if it ${how}, and they succeed when the network recovers`, async () => {
      await using proxy = await tcpProxy({ to: address() })
      await using mongo = await connectMongo({ url: proxy.address, name: 'faults' })
      const notes = mongo.db.client.db(`postrider_${randomBytes(6).toString('hex')}`).collection('notes')
      const write = () => mapStoreErrors(() => notes.insertOne({ ...long }))
      await write()
      proxy.halfOpen()
      const writing = async () => {
        const all = Array.from({ length: 3 }, () => assert.rejects(write(), { code: 'unavailable' }))
        setTimeout(() => void end(proxy), 500)
        await Promise.all(all)
      }
      assert.ok((await timerMs(writing)) < settledWithinMs)
      await proxy.heal()
      await write()
      await notes.drop()
    })
  }
})
