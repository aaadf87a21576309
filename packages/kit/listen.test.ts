import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import { skip } from '../../test/support/skip.ts'
import { until } from '../../test/support/until.ts'
import { readConfig } from './config.ts'
import { closeServer, listen } from './listen.ts'
import { listenHost } from './settings.ts'

const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
const hasIpv6 = addresses.some(({ address }) => address === '::1')
const noIpv6 = 'this machine has no address ::1'
const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address

const hello = (): Server => createServer((_request, response) => response.end('hello'))

const reaches = async (host: string, port: number): Promise<boolean> => {
  const socket = connect(port, host)
  const reached = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return reached
}

describe('listening', () => {
  for (const [host, ...expected] of [
    ['localhost', '127.0.0.1', '::1'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['0.0.0.0', '127.0.0.1', 'outside'],
    ['::', '127.0.0.1', '::1', 'outside'],
  ]) {
    it(`accepts connections to ${expected.join(', ')} on one port, and to no other address, for the host ${host}`, async function () {
      if (!hasIpv6 && host?.startsWith(':')) skip(this, noIpv6)
      const server = hello()
      const listening = await listen(server, { host: host ?? '', port: 0, variable: 'PORT' })
      for (const address of ['127.0.0.1', ...(hasIpv6 ? ['::1'] : []), ...(outside === undefined ? [] : ['outside'])]) {
        const to = address === 'outside' ? String(outside) : address
        assert.equal(await reaches(to, listening.port), expected.includes(address), `${host}: ${to}`)
      }
      assert.equal(await fetch(listening.url).then((response) => response.text()), 'hello')
      await closeServer(server, listening, () => {})
    })
  }

  it('serves both IP versions on localhost, and stops on both', async () => {
    const server = hello()
    const listening = await listen(server, { host: 'localhost', port: 0, variable: 'PORT' })
    const hosts = hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']
    for (const host of hosts)
      assert.equal(await (await fetch(`http://${host}:${listening.port}`)).text(), 'hello', host)
    await closeServer(server, listening, () => {})
    for (const host of hosts) assert.equal(await reaches(host.replaceAll(/[[\]]/g, ''), listening.port), false, host)
  })

  for (const taken of ['127.0.0.1', '::1', '0.0.0.0', '::'])
    it(`reports a port of localhost that is in use on ${taken}, and leaves no socket open`, async function () {
      if (!hasIpv6 && taken.startsWith(':')) skip(this, noIpv6)
      const occupant = createNetServer().listen(0, taken)
      await once(occupant, 'listening')
      const { port } = occupant.address() as AddressInfo
      const message = `Port ${port} is in use; choose another with METRICS_PORT, or METRICS_PORT=0 for a free one.`
      await assert.rejects(listen(hello(), { host: 'localhost', port, variable: 'METRICS_PORT' }), { message })
      occupant.close()
      await once(occupant, 'close')
      assert.equal(await reaches('127.0.0.1', port), false)
      if (hasIpv6) assert.equal(await reaches('::1', port), false)
    })

  it('reports that another process uses the port, even with several sockets', async () => {
    const [first, second] = [hello(), hello()]
    const listening = await listen(first, { host: 'localhost', port: 0, variable: 'PORT', socketsPerAddress: 4 })
    const { port } = listening
    const message = `Port ${port} is in use; choose another with PORT, or PORT=0 for a free one.`
    const again = listen(second, { host: 'localhost', port, variable: 'PORT', socketsPerAddress: 4 })
    await assert.rejects(again, { message })
    await closeServer(first, listening, () => {})
    assert.equal(await reaches('127.0.0.1', port), false)
  })

  // Regression: a client that opened 100 connections a second delayed the new connections of others by seconds.
  it('accepts several connections per event loop iteration with several sockets', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux spreads connections over several sockets')
    const server = hello()
    const listening = await listen(server, { host: '127.0.0.1', port: 0, variable: 'PORT', socketsPerAddress: 8 })
    const iterations: number[] = []
    let [iteration, isOpen] = [0, true]
    const count = (): void => {
      iteration++
      if (isOpen) setImmediate(count)
    }
    server.on('connection', () => iterations.push(iteration))
    const clients = Array.from({ length: 64 }, () => connect(listening.port, '127.0.0.1'))
    count()
    await until('all are accepted', () => (iterations.length === clients.length ? true : undefined))
    isOpen = false
    const max = Math.max(
      ...Map.groupBy(iterations, (one) => one)
        .values()
        .map(({ length }) => length),
    )
    assert.ok(max > 1 && max <= 8, `${max} in an iteration`)
    for (const client of clients) client.destroy()
    await closeServer(server, listening, () => {})
  })

  it('reports an address that the machine does not have', async () => {
    const message = 'POSTRIDER_HOST is 203.0.113.7, but this machine does not have this address.'
    await assert.rejects(listen(hello(), { host: '203.0.113.7', port: 0, variable: 'PORT' }), { message })
  })
})

describe('listen address', () => {
  const schema = z.object(listenHost)
  const read = (value: string) => readConfig(schema, { POSTRIDER_HOST: value })

  for (const [value, host] of [
    ['', 'localhost'],
    ['LOCALHOST', 'localhost'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['[::]', '::'],
    [' 127.0.0.1 ', '127.0.0.1'],
    ['2001:DB8::1', '2001:db8::1'],
    // These were not recognized as this machine, and the URL that the banner printed was refused.
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[0000::0001]', '::1'],
    ['0::0', '::'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:7f00:1', '127.0.0.1'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ] as const)
    it(`may be '${value}'`, () => assert.partialDeepStrictEqual(read(value), { config: { POSTRIDER_HOST: host } }))

  for (const value of [
    '*',
    'all',
    'mail.example.com',
    '127.0.0.1:8080',
    'http://localhost',
    '256.1.1.1',
    '[::',
    '10.0.0.0/8',
    '127.0.0.1,::1',
    // The process ended with a TypeError.
    '::1%lo',
    'fe80::1%25eth0',
  ])
    it(`is refused if it is '${value}'`, () => {
      const result = read(value)
      assert.match(
        'errors' in result ? result.errors.join() : '',
        /^POSTRIDER_HOST: must be localhost or an IP address/,
      )
    })
})
