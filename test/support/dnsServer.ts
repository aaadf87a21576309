import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { type DecodedPacket, decode } from 'dns-packet'
import { type Fault, inTurn, type Outgoing, spoil } from './dnsServerFaults.ts'
import { answerFrom, type Rrsets, type Zone, type Zones } from './dnsServerZones.ts'

export { type Fault, inTurn, type Rrsets, type Zone, type Zones }

/*
 * A real DNS server on loopback, over UDP and TCP on one port. It is the authority of its zones and refuses all other
 * names. A test edits `zones` at any time; the next query sees the change.
 *
 * `dnsServerZones.ts` finds the answer in the zones, `dnsServerFaults.ts` spoils it.
 */

export type DnsQuery = { name: string; type: string; via: 'udp' | 'tcp' }

export type DnsServer = AsyncDisposable & {
  host: string
  port: number
  /** `host:port`, an IPv6 address in brackets: a value of POSTRIDER_DNS. */
  address: string
  zones: Zones
  /** The queries so far, in order, in the letter case of the client. */
  queries: DnsQuery[]
  /** Called when a query has been read and no complete answer follows: the client waits until its time limit. */
  onSilence: () => void
}

export type DnsServerOptions = {
  /** By name; the most specific one answers. The name of the root zone is empty. */
  zones: Zones
  /** A loopback address. Linux has all of 127.0.0.0/8. */
  host?: string
}

export const startDnsServer = async ({ zones, host = '127.0.0.1' }: DnsServerOptions): Promise<DnsServer> => {
  const { streams, datagrams, port } = await listen(host)
  const sockets = new Set<Socket>()
  let isClosed = false
  const server: DnsServer = {
    host,
    port,
    address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    zones,
    queries: [],
    onSilence: () => {},
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      isClosed = true
      const ends = Promise.all([once(streams, 'close'), once(datagrams, 'close')])
      streams.close()
      datagrams.close()
      await ends
    },
  }
  datagrams.on('message', async (message, { address, port: from }) => {
    const { messages, isSilent } = await replyTo(message, 'udp', server)
    // The client may be gone, and the server may have been closed while it held an answer back.
    if (isClosed) return
    for (const reply of messages) datagrams.send(reply, from, address, () => {})
    if (isSilent) server.onSilence()
  })
  streams.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    serveStream(socket, server)
  })
  return server
}

const listenTries = 20

/** Listens on a port that is free for both protocols. */
const listen = async (host: string): Promise<{ streams: Server; datagrams: Datagrams; port: number }> => {
  for (let left = listenTries; left > 0; left--) {
    const streams = createServer().listen(0, host)
    await once(streams, 'listening')
    const bound = streams.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    const datagrams = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    if (await isBound(datagrams, port, host)) return { streams, datagrams, port }
    streams.close()
  }
  throw new Error(`no port of ${host} is free for UDP and TCP in ${listenTries} tries`)
}

const isBound = (socket: Datagrams, port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind(port, host, () => {
      socket.removeAllListeners('error').on('error', () => {})
      resolve(true)
    })
  })

/** Each message follows its length (RFC 1035 §4.2.2). */
const serveStream = (socket: Socket, server: DnsServer): void => {
  let unread = Buffer.alloc(0)
  const serve = async (message: Buffer): Promise<void> => {
    const { messages, isSilent, isCut, closes } = await replyTo(message, 'tcp', server)
    for (const reply of messages) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([length, isCut ? reply.subarray(0, -1) : reply]))
    }
    if (closes) socket.destroy()
    if (isSilent) server.onSilence()
  }
  socket.on('data', (chunk) => {
    unread = Buffer.concat([unread, chunk])
    while (unread.length >= 2 && unread.length >= 2 + unread.readUInt16BE()) {
      const end = 2 + unread.readUInt16BE()
      void serve(unread.subarray(2, end))
      unread = unread.subarray(end)
    }
  })
}

const replyTo = async (message: Buffer, via: 'udp' | 'tcp', server: DnsServer): Promise<Outgoing> => {
  const query = readQuery(message)
  const question = query?.questions?.[0]
  if (!query || !question) return { messages: [] }
  const { name: queried, type } = question
  const name = queried === '.' ? '' : queried.toLowerCase()
  server.queries.push({ name: queried, type, via })
  const answer = answerFrom(server.zones, name, type)
  const fault = answer.zone === null ? null : (server.zones[answer.zone]?.fault ?? null)
  return spoil({ query, answer, via, fault: typeof fault === 'function' ? fault() : fault })
}

/** Null: what arrived is no DNS message. */
const readQuery = (message: Buffer): DecodedPacket | null => {
  try {
    return decode(message)
  } catch {
    return null
  }
}
