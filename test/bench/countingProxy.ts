import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../support/freePort.ts'

/** A TCP proxy in front of a back end that counts bytes, and requests by name. */
export type CountingProxy = AsyncDisposable & {
  address: string
  counts(): TrafficCounts
}

/** Counts since the start of the proxy; `in`: to the server, `out`: from it. */
export type TrafficCounts = { bytesIn: number; bytesOut: number; requests: Record<string, number> }

/** Framing of the requests of a protocol. */
export type Framing = {
  /** Returns the length of the frame at the start of `bytes`; null if there are too few bytes to determine it. */
  length(bytes: Buffer): number | null
  /** Returns the names under which a frame is counted, each with its number. */
  names(frame: Buffer): Record<string, number>
}

type CountingProxyOptions = { to: { host: string; port: number }; framing: Framing }

/** Starts a proxy to a server on a free port of 127.0.0.1. */
export const startCountingProxy = async ({ to, framing }: CountingProxyOptions): Promise<CountingProxy> => {
  const port = await freePort()
  const counts: TrafficCounts = { bytesIn: 0, bytesOut: 0, requests: {} }
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ ...to, noDelay: true })
    const inspect = framesOf(framing, (names) => {
      for (const [name, times] of Object.entries(names)) {
        counts.requests[name] = (counts.requests[name] ?? 0) + times
      }
    })
    client.on('data', (piece: Buffer) => {
      counts.bytesIn += piece.length
      inspect(piece)
    })
    target.on('data', (piece: Buffer) => {
      counts.bytesOut += piece.length
    })
    client.pipe(target).pipe(client)
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => {
        client.destroy()
        target.destroy()
      })
      socket.on('close', () => sockets.delete(socket))
    }
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${port}`,
    counts: () => structuredClone(counts),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns a function that accepts a stream in pieces and calls `found` for each complete frame. */
const framesOf = ({ length, names }: Framing, found: (names: Record<string, number>) => void) => {
  let pending: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  return (piece: Buffer): void => {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece])
    for (;;) {
      const size = length(pending)
      if (size === null || pending.length < size) return
      found(names(pending.subarray(0, size)))
      pending = pending.subarray(size)
    }
  }
}

const cstring = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, bytes.indexOf(0, at))

const messageHeadBytes = 16
const opMsg = 2013

/** Returns the command with its collection, and the number of documents or updates in it. */
const mongoNames = (frame: Buffer): Record<string, number> => {
  if (frame.readInt32LE(12) !== opMsg) return { 'MongoDB other': 1 }
  let name = ''
  let documents = 0
  for (let at = messageHeadBytes + 4; at < frame.length; ) {
    const kind = frame[at]
    const size = frame.readInt32LE(at + 1)
    if (kind === 0) {
      // The first element of the document: type, name (the command), value (the collection).
      const command = cstring(frame, at + 6)
      const value = at + 6 + command.length + 1
      const isText = frame[at + 5] === 2
      name = isText ? `${command} ${cstring(frame, value + 4)}` : command
    } else {
      const end = at + 1 + size
      let inside = at + 5 + cstring(frame, at + 5).length + 1
      for (; inside < end; inside += frame.readInt32LE(inside)) documents++
    }
    at += 1 + size
  }
  return { [name]: 1, ...(documents > 0 && { [`${name}: documents`]: documents }) }
}

/** https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
export const mongoFraming: Framing = {
  length: (bytes) => (bytes.length < 4 ? null : bytes.readInt32LE(0)),
  names: mongoNames,
}

/** https://kafka.apache.org/protocol#protocol_api_keys */
const kafkaNames: Readonly<Record<number, string>> = { 0: 'Produce', 1: 'Fetch', 8: 'OffsetCommit', 12: 'Heartbeat' }

export const kafkaFraming: Framing = {
  length: (bytes) => (bytes.length < 4 ? null : bytes.readInt32BE(0) + 4),
  names: (frame) => ({ [kafkaNames[frame.readInt16BE(4)] ?? 'other']: 1 }),
}

/** RESP: an array of bulk strings whose first line is their number; the first string is the command. */
export const redisFraming: Framing = {
  length: (bytes) => {
    let at = bytes.indexOf('\r\n')
    if (at < 0) return null
    const parts = Number(bytes.toString('latin1', 1, at))
    at += 2
    for (let part = 0; part < parts; part++) {
      const end = bytes.indexOf('\r\n', at)
      if (end < 0) return null
      at = end + 2 + Number(bytes.toString('latin1', at + 1, end)) + 2
    }
    return at
  },
  names: (frame) => {
    const begin = frame.indexOf('\r\n', frame.indexOf('\r\n') + 2) + 2
    return { [frame.toString('latin1', begin, frame.indexOf('\r\n', begin)).toUpperCase()]: 1 }
  },
}
