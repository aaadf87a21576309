import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { mapStoreErrors } from '@postrider/adapters/mongo/client/errors.ts'
import { useBackend } from '../backends/backends.ts'
import { timerMs } from '../support/cost.ts'
import { type TcpProxy, tcpProxy } from '../support/tcpProxy.ts'

/** More than all buffers on the way take. */
const long = { text: 'x'.repeat(15 * 2 ** 20) }
/** Of every call: the client's own patience for a connection and an answer, and something for a busy machine. */
const settledWithinMs = 15_000

const breaks: [how: string, end: (wire: TcpProxy) => unknown][] = [
  ['hangs', () => {}],
  ['is cut', (wire) => wire.cut()],
  ['is reset', (wire) => wire.reset()],
]

/** The client used to wait for ever for a socket that was gone, or told an error of the system's, which was answered 500. */
describe('a connection to the store that ends in the middle of a write (I19)', function storeStuck() {
  this.timeout(40_000)
  const address = useBackend('mongodb')

  for (const [how, end] of breaks) {
    it(`and ${how}: each write is refused for now, and goes on once the wire is well`, async () => {
      await using wire = await tcpProxy({ to: address() })
      await using mongo = await connectMongo({ url: wire.address, name: 'faults' })
      const notes = mongo.db.client.db(`postrider_${randomBytes(6).toString('hex')}`).collection('notes')
      const write = () => mapStoreErrors(() => notes.insertOne({ ...long }))
      await write()
      wire.halfOpen()
      const writing = async () => {
        const all = Array.from({ length: 3 }, () => assert.rejects(write(), { code: 'unavailable' }))
        setTimeout(() => void end(wire), 500)
        await Promise.all(all)
      }
      assert.ok((await timerMs(writing)) < settledWithinMs)
      await wire.heal()
      await write()
      await notes.drop()
    })
  }
})
