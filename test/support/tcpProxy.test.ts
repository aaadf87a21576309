import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type TcpProxy, tcpProxy } from './tcpProxy.ts'
import { until } from './until.ts'

/** Says everything back; at the end of what it heard, it says `bye` and ends too. */
const startEcho = async (): Promise<Server> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (piece) => socket.write(piece))
    socket.on('end', () => socket.end('bye'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** As long as bytes take past the proxy: whatever it passed on before has come back by then. */
const roundTrip = async (server: Server): Promise<void> => {
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  for (let trip = 0; trip < 5; trip++) {
    const socket = connect(address.port, '127.0.0.1')
    socket.write('z')
    await once(socket, 'data')
    socket.destroy()
  }
}

type Line = { socket: Socket; heard(): string; error(): string | undefined }

describe('the TCP proxy', () => {
  let server: Server
  let proxy: TcpProxy
  let sockets: Socket[]

  const dial = async (): Promise<Line> => {
    const socket = connect({ host: '127.0.0.1', port: Number(proxy.address.split(':')[1]), allowHalfOpen: true })
    sockets.push(socket)
    let heard = ''
    let error: string | undefined
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    socket.on('error', (reason: NodeJS.ErrnoException) => {
      error = reason.code
    })
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    return { socket, heard: () => heard, error: () => error }
  }
  const hears = (line: Line, text: string) => until(`"${text}" is heard`, () => line.heard() === text || undefined)

  beforeEach(async () => {
    sockets = []
    server = await startEcho()
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    proxy = await tcpProxy({ to: `127.0.0.1:${address.port}` })
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await proxy[Symbol.asyncDispose]()
    server.close()
  })

  it('keeps the form of the address', async () => {
    await using other = await tcpProxy({ to: 'mongodb://127.0.0.1:4/name?w=1' })
    assert.match(other.address, /^mongodb:\/\/127\.0\.0\.1:\d{5}\/name\?w=1$/)
  })

  it('passes on both ways, and each end for itself', async () => {
    const line = await dial()
    line.socket.write('one')
    await hears(line, 'one')
    line.socket.end('two')
    await hears(line, 'onetwobye')
    await until('it is closed', () => line.socket.readableEnded || undefined)
    assert.equal(line.error(), undefined)
  })

  it('drops all and refuses when cut, and takes new ones once healed', async () => {
    const before = await dial()
    await proxy.cut()
    await until('it is dropped', () => before.socket.readableEnded || before.socket.destroyed || undefined)
    assert.equal((await dial()).error(), 'ECONNREFUSED')
    await proxy.heal()
    const after = await dial()
    after.socket.write('again')
    await hears(after, 'again')
  })

  it('swallows when half-open, old connections and new; what was held back goes out in order', async () => {
    const old = await dial()
    old.socket.write('a')
    await hears(old, 'a')
    proxy.halfOpen()
    const fresh = await dial()
    for (const line of [old, fresh]) {
      line.socket.write('b')
      line.socket.end('c')
    }
    await roundTrip(server)
    assert.deepEqual([old.heard(), fresh.heard()], ['a', ''])
    await proxy.heal()
    await hears(old, 'abcbye')
    await hears(fresh, 'bcbye')
  })

  it('delays each way by its latency and keeps the order when it changes', async () => {
    const line = await dial()
    proxy.latency(60)
    const start = performance.now()
    line.socket.write('slow ')
    await hears(line, 'slow ')
    assert.ok(performance.now() - start >= 115, 'there and back')
    line.socket.write('first ')
    proxy.latency(0)
    line.socket.write('second')
    await hears(line, 'slow first second')
  })

  it('resets what is open, and takes new ones', async () => {
    const line = await dial()
    line.socket.write('x')
    await hears(line, 'x')
    proxy.reset()
    await until('it is reset', () => line.error())
    assert.equal(line.error(), 'ECONNRESET')
    const next = await dial()
    next.socket.write('y')
    await hears(next, 'y')
  })

  it('resets clients whose server is away', async () => {
    const closed = once(server, 'close')
    server.close()
    await closed
    const line = await dial()
    await until('it is reset', () => line.error())
    assert.equal(line.error(), 'ECONNRESET')
  })
})
