import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type TcpProxy, tcpProxy } from './tcpProxy.ts'
import { until } from './until.ts'

/** Starts a server that returns all bytes. When the client ends, it sends `bye` and ends too. */
const startEcho = async (): Promise<Server> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => socket.write(chunk))
    socket.on('end', () => socket.end('bye'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Waits for five round trips without the proxy. Bytes that the proxy forwarded before have returned by then. */
const roundTrips = async (server: Server): Promise<void> => {
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  for (let trip = 0; trip < 5; trip++) {
    const socket = connect(address.port, '127.0.0.1')
    socket.write('z')
    await once(socket, 'data')
    socket.destroy()
  }
}

type Connection = { socket: Socket; received(): string; error(): string | undefined }

describe('TCP proxy', () => {
  let server: Server
  let proxy: TcpProxy
  let sockets: Socket[]

  const dial = async (): Promise<Connection> => {
    const socket = connect({ host: '127.0.0.1', port: Number(proxy.address.split(':')[1]), allowHalfOpen: true })
    sockets.push(socket)
    let received = ''
    let error: string | undefined
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    socket.on('error', (reason: NodeJS.ErrnoException) => {
      error = reason.code
    })
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    return { socket, received: () => received, error: () => error }
  }
  const receives = (connection: Connection, text: string) =>
    until(`"${text}" is received`, () => connection.received() === text || undefined)

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

  it('changes only host and port of an address', async () => {
    await using other = await tcpProxy({ to: 'mongodb://127.0.0.1:4/name?w=1' })
    assert.match(other.address, /^mongodb:\/\/127\.0\.0\.1:\d{5}\/name\?w=1$/)
  })

  it('forwards in both directions, and the end of each direction independently', async () => {
    const connection = await dial()
    connection.socket.write('one')
    await receives(connection, 'one')
    connection.socket.end('two')
    await receives(connection, 'onetwobye')
    await until('the connection is closed', () => connection.socket.readableEnded || undefined)
    assert.equal(connection.error(), undefined)
  })

  it('drops connections and refuses new ones while it is cut', async () => {
    const before = await dial()
    await proxy.cut()
    await until('the connection is dropped', () => before.socket.readableEnded || before.socket.destroyed || undefined)
    assert.equal((await dial()).error(), 'ECONNREFUSED')
    await proxy.heal()
    const after = await dial()
    after.socket.write('again')
    await receives(after, 'again')
  })

  it('holds back the bytes of old and new connections while half-open, and sends them in order afterwards', async () => {
    const old = await dial()
    old.socket.write('a')
    await receives(old, 'a')
    proxy.halfOpen()
    const fresh = await dial()
    for (const connection of [old, fresh]) {
      connection.socket.write('b')
      connection.socket.end('c')
    }
    await roundTrips(server)
    assert.deepEqual([old.received(), fresh.received()], ['a', ''])
    await proxy.heal()
    await receives(old, 'abcbye')
    await receives(fresh, 'bcbye')
  })

  it('delays each direction by the latency, and keeps the order when the latency changes', async () => {
    const connection = await dial()
    proxy.latency(60)
    const start = performance.now()
    connection.socket.write('slow ')
    await receives(connection, 'slow ')
    assert.ok(performance.now() - start >= 115, 'delayed less than twice the latency')
    connection.socket.write('first ')
    proxy.latency(0)
    connection.socket.write('second')
    await receives(connection, 'slow first second')
  })

  it('resets open connections and accepts new ones', async () => {
    const connection = await dial()
    connection.socket.write('x')
    await receives(connection, 'x')
    proxy.reset()
    await until('the connection is reset', () => connection.error())
    assert.equal(connection.error(), 'ECONNRESET')
    const next = await dial()
    next.socket.write('y')
    await receives(next, 'y')
  })

  it('resets clients when the server is down', async () => {
    const closed = once(server, 'close')
    server.close()
    await closed
    const connection = await dial()
    await until('the connection is reset', () => connection.error())
    assert.equal(connection.error(), 'ECONNRESET')
  })
})
