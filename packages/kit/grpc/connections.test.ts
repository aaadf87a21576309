import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import {
  byTokens,
  call,
  connect,
  health,
  keyFile,
  methods,
  ofIntake,
  openStream,
  serve,
  tlsFolder,
  tlsOf,
} from '../../../test/support/grpcRig.ts'
import { until } from '../../../test/support/until.ts'
import { gatherMethod } from './callBatches.ts'
import { limitedConnections } from './connections.ts'

describe('connections of unknown gRPC peers', () => {
  // The response did not end the stream of a client that sends no end, and each held 13 KB until its connection reached
  // its age.
  it('hold no stream of a refused call', async () => {
    await using server = await serve()
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    for (const path of [methods['Get']?.path ?? '', gatherMethod().path, '/postrider.templates.v1.Templates/Unknown']) {
      const streams = Array.from({ length: 50 }, () => openStream(session, path))
      const codes = await Promise.all(streams.map(({ answered }) => answered))
      const expected = path.endsWith('/Unknown') ? status.UNIMPLEMENTED : status.UNAUTHENTICATED
      assert.deepEqual(new Set(codes), new Set([expected]), path)
      await until('the streams are closed', () => streams.every(({ stream }) => stream.closed) || undefined)
    }
    session.destroy()
  })

  // A peer without a token could have calls refused on one connection without end, each for two thirds of the CPU of an
  // accepted one.
  it('are closed after many refused calls, even if these arrive together', async () => {
    await using server = await serve()
    using known = connect(server.port)
    const get = methods['Get']?.path ?? ''
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
    for (const [path, reason] of [
      [get, 'caller'],
      [`${health}/Check`, 'health'],
    ] as const) {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`)
      session.on('error', () => {})
      const closed = new Promise((resolve) => session.once('close', resolve))
      await once(session, 'connect')
      for (let count = 0; count < 2_000; count++) openStream(session, path)
      await closed
      assert.equal(await server.denied(reason), 200)
    }
    for (let count = 0; count < 300; count++) await call(known.client, get, { token: 'wrong' })
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
  })

  // grpc-js runs no interceptors for an unknown path, and for another content type: such calls had no limit.
  const strays: [name: string, headers: Record<string, string>][] = [
    ['of unknown methods', { ':path': '/postrider.templates.v1.Templates/Unknown' }],
    ['of another content type', { 'content-type': 'text/plain' }],
    ['without a content type', { 'content-type': '' }],
  ]
  for (const [name, over] of strays)
    it(`are closed after many calls ${name}`, async () => {
      await using server = await serve()
      using known = connect(server.port)
      const get = methods['Get']?.path ?? ''
      assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
      const session = connectHttp2(`http://127.0.0.1:${server.port}`)
      session.on('error', () => {})
      const closed = new Promise((resolve) => session.once('close', resolve))
      await once(session, 'connect')
      for (let count = 0; count < 2_000; count++) openStream(session, get, over)
      await closed
      assert.ok((await server.denied('caller')) >= 200)
      assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
    })

  it('are closed after many calls of unknown methods over TLS', async () => {
    await using server = await serve({ ...byTokens, tls: tlsOf('signed') })
    const session = connectHttp2(`https://localhost:${server.port}`, {
      ca: readFileSync(join(tlsFolder, 'authority.pem')),
      cert: readFileSync(join(tlsFolder, 'intake.pem')),
      key: readFileSync(keyFile),
    })
    session.on('error', () => {})
    const closed = new Promise((resolve) => session.once('close', resolve))
    await once(session, 'connect')
    for (let count = 0; count < 2_000; count++) openStream(session, '/unknown')
    await closed
    assert.ok((await server.denied('caller')) >= 200)
  })

  it('are closed after refused calls of both kinds that arrive together', async () => {
    await using server = await serve()
    const get = methods['Get']?.path ?? ''
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    session.on('error', () => {})
    const closed = new Promise((resolve) => session.once('close', resolve))
    await once(session, 'connect')
    for (let count = 0; count < 2_000; count++) openStream(session, get, count % 2 === 0 ? {} : { ':path': '/unknown' })
    await closed
    using known = connect(server.port)
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
  })

  it('stay open for calls of unknown methods of a known peer', async () => {
    await using server = await serve()
    using known = connect(server.port)
    const get = methods['Get']?.path ?? ''
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
    for (let count = 0; count < 300; count++)
      assert.equal(await call(known.client, '/a.B/Unknown', { token: ofIntake }), status.UNIMPLEMENTED)
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
  })

  const opened = async (port: number): Promise<Socket> => {
    const socket = connectTcp(port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    await once(socket, 'connect')
    return socket
  }

  it('are limited in number, and neither prevent nor end those of a known peer', async () => {
    await using server = await serve()
    using known = connect(server.port)
    assert.equal(await call(known.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
    const idle: Socket[] = []
    for (let count = 0; count < 250; count++) idle.push(await opened(server.port))
    await until('the oldest are closed', () => idle.filter(({ closed }) => closed).length >= 150 || undefined)
    assert.equal(await call(known.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
    using late = connect(server.port)
    assert.equal(await call(late.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
    for (const socket of idle) socket.destroy()
  })

  const fakeSocket = (remoteAddress: string, remotePort: number) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, remotePort, bytesRead: 0, destroyed: false })
    return Object.assign(socket, {
      destroy: () => {
        socket.destroyed = true
        socket.emit('close')
      },
    }) as unknown as Socket
  }

  // A flood from one address closed the connections of others before their first call.
  it('are closed for new connections of other addresses, the oldest of the address with the most connections first', () => {
    const connections = limitedConnections({ maxUnauthenticated: 5, now: () => 0 })
    const other = fakeSocket('10.0.0.2', 1)
    connections.add(other)
    const flood = Array.from({ length: 100 }, (_, port) => fakeSocket('10.0.0.1', port))
    for (const socket of flood) connections.add(socket)
    assert.equal(other.destroyed, false)
    assert.deepEqual([flood.filter(({ destroyed }) => !destroyed).length, flood.at(-1)?.destroyed], [4, false])
    connections.closeUnauthenticated()
    assert.ok(other.destroyed && flood.every(({ destroyed }) => destroyed))
  })

  // Each costs a handshake, so an unauthenticated client could use a core with them.
  it('are limited in their rate by address, unless a known peer has come from there', () => {
    const refused: string[] = []
    let at = 0
    const onTooFast = (address: string): void => void refused.push(address)
    const connections = limitedConnections({ maxUnauthenticated: 5, now: () => at, onTooFast })
    let port = 0
    const openMany = (address: string, count: number): number => {
      let accepted = 0
      for (let n = 0; n < count; n++) if (connections.add(fakeSocket(address, port++))) accepted++
      return accepted
    }
    assert.equal(openMany('10.0.0.1', 1_000), 200)
    assert.equal(openMany('::ffff:10.0.0.1', 10), 0)
    assert.equal(openMany('10.0.0.2', 100), 100)
    assert.deepEqual([...new Set(refused)], ['10.0.0.1'])
    at += 1_000
    assert.equal(openMany('10.0.0.1', 1_000), 50)
    at -= 3_600_000
    assert.equal(openMany('10.0.0.2', 50), 50, 'a clock that was set back refuses no one')
    const trusted = fakeSocket('10.0.0.3', 7)
    connections.add(trusted)
    connections.trust(() => '10.0.0.3:7')
    assert.equal(openMany('10.0.0.3', 1_000), 1_000)
    assert.equal(trusted.destroyed, false)
  })

  // In an idle installation they reached their age without a call, which counted as refused and caused an alert.
  it('are only reported if they end without a call soon after their start', () => {
    const reported: string[] = []
    let at = 0
    const onNoCall = (remote: string): void => void reported.push(remote)
    const connections = limitedConnections({ maxUnauthenticated: 5, now: () => at, onNoCall })
    const sent = (port: number): Socket => Object.assign(fakeSocket('10.0.0.1', port), { bytesRead: 303 })
    const [failed, idle, silent] = [sent(1), sent(2), fakeSocket('10.0.0.1', 3)]
    for (const socket of [failed, idle, silent]) connections.add(socket)
    at += 100
    failed.destroy()
    silent.destroy()
    at += 60_000
    idle.destroy()
    assert.deepEqual(reported, ['10.0.0.1:1'])
  })

  it('over the rate are counted', async () => {
    await using server = await serve()
    const sockets: Socket[] = []
    await until('some are refused', async () => {
      for (let n = 0; n < 100; n++)
        sockets.push(
          connectTcp(server.port, '127.0.0.1')
            .on('error', () => {})
            .resume(),
        )
      return (await server.denied('rate')) > 0 || undefined
    })
    for (const socket of sockets) socket.destroy()
  })

  const hostile: [name: string, act: (session: ClientHttp2Session) => void][] = [
    [
      'long headers',
      (session) => void session.request({ ':path': '/a', 'x-long': 'x'.repeat(70_000) }).on('error', () => {}),
    ],
    [
      'many headers',
      (session) => {
        const headers = Object.fromEntries(Array.from({ length: 2_000 }, (_, number) => [`x-${number}`, 'x']))
        session.request({ ':path': '/a', ...headers }).on('error', () => {})
      },
    ],
    [
      'many streams that end at the same time',
      (session) => {
        for (let count = 0; count < 2_000; count++) {
          const stream = session.request({ ':path': '/a', ':method': 'POST' })
          stream.on('error', () => {})
          stream.close(8)
        }
      },
    ],
    ['many pings', (session) => void Array.from({ length: 2_000 }, () => session.ping(() => {}))],
  ]
  for (const [name, act] of hostile)
    it(`do not disturb a known peer: ${name}`, async () => {
      await using server = await serve()
      const session = connectHttp2(`http://127.0.0.1:${server.port}`, {
        maxOutstandingPings: 10_000,
        maxSendHeaderBlockLength: 2 ** 24,
      } as object)
      session.on('error', () => {})
      await once(session, 'connect')
      act(session)
      using known = connect(server.port)
      assert.equal(await call(known.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
      session.destroy()
    })
})
