import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import process from 'node:process'
import { skip } from '../../../test/support/skip.ts'
import { peerOwner } from './peerOwner.ts'

const client = (port: number, host: string) =>
  `const s = require('node:net').connect(${port}, '${host}'); s.on('error', (e) => { throw e }); s.on('close', () => process.exit())`

/** Connects a program of a user to a server in this process. @param check gets the end of the server */
const connected = async (
  { listen, host, uid }: { listen: string; host: string; uid?: number },
  check: (socket: Socket) => Promise<void>,
): Promise<void> => {
  const server = createServer().listen(0, listen)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const child = spawn(process.execPath, ['-e', client(port, host)], {
    stdio: 'inherit',
    ...(uid !== undefined && { uid }),
  })
  const [socket] = (await once(server, 'connection')) as [Socket]
  try {
    await check(socket)
  } finally {
    socket.destroy()
    server.close()
    await once(child, 'exit')
  }
}

/** Ways to connect within a machine: an IPv4 client of a server for both families is in two tables. */
const ways = [
  { listen: '127.0.0.1', host: '127.0.0.1' },
  { listen: '::1', host: '::1' },
  { listen: '::', host: '127.0.0.1' },
  { listen: '::', host: '::ffff:127.0.0.1' },
]

describe('owner of the other end of a connection', () => {
  before(function () {
    if (process.platform !== 'linux') skip(this, 'only Linux shows the owners of connections')
  })

  for (const way of ways) {
    it(`is the own user for a program of this user, to ${way.host} on ${way.listen}`, () =>
      connected(way, async (socket) => assert.equal(await peerOwner(socket), 'own')))

    it(`is another user for a program of another user, to ${way.host} on ${way.listen}`, function () {
      if (process.geteuid?.() !== 0) skip(this, 'only root can start a program of another user')
      return connected({ ...way, uid: 65_534 }, async (socket) => assert.equal(await peerOwner(socket), 'other'))
    })
  }

  it('is unknown for a connection that is not in the tables', async () => {
    const ends = { remoteAddress: '127.0.0.1', remotePort: 1, localAddress: '127.0.0.1', localPort: 2 }
    assert.equal(await peerOwner(ends), null)
    assert.equal(await peerOwner({ ...ends, remotePort: undefined }), null)
  })
})
