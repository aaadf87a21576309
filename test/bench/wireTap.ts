import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A wire that counts what goes over it: bytes, and requests by name. */
export type WireTap = AsyncDisposable & {
  address: string
  counted(): Counted
}

/** Since the wire was made; `in`: to the server, `out`: from it. */
export type Counted = { bytesIn: number; bytesOut: number; requests: Record<string, number> }

/** How a protocol frames its requests. */
export type Framing = {
  /** Bytes of the frame that begins here, all of it; null: not enough is there to tell. */
  length(bytes: Buffer): number | null
  /** What its first frame is to be counted as, and how often. */
  names(frame: Buffer): Record<string, number>
}

type Given = { to: { host: string; port: number }; port: number; framing: Framing }

/** @param port where it listens, on 127.0.0.1 */
export const wireTap = async ({ to, port, framing }: Given): Promise<WireTap> => {
  const counted: Counted = { bytesIn: 0, bytesOut: 0, requests: {} }
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ ...to, noDelay: true })
    const look = framesOf(framing, (names) => {
      for (const [name, times] of Object.entries(names)) {
        counted.requests[name] = (counted.requests[name] ?? 0) + times
      }
    })
    client.on('data', (piece: Buffer) => {
      counted.bytesIn += piece.length
      look(piece)
    })
    target.on('data', (piece: Buffer) => {
      counted.bytesOut += piece.length
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
    counted: () => structuredClone(counted),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Cuts what comes in pieces into frames. */
const framesOf = ({ length, names }: Framing, found: (names: Record<string, number>) => void) => {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  return (piece: Buffer): void => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    for (;;) {
      const size = length(rest)
      if (size === null || rest.length < size) return
      found(names(rest.subarray(0, size)))
      rest = rest.subarray(size)
    }
  }
}

const cstring = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, bytes.indexOf(0, at))

const messageHeadBytes = 16
const opMsg = 2013

/** The command and its collection, and how many documents or updates come with it. */
const mongoNames = (frame: Buffer): Record<string, number> => {
  if (frame.readInt32LE(12) !== opMsg) return { 'MongoDB other': 1 }
  let name = ''
  let documents = 0
  for (let at = messageHeadBytes + 4; at < frame.length; ) {
    const kind = frame[at]
    const size = frame.readInt32LE(at + 1)
    if (kind === 0) {
      // The first element of the document: its type, its name – the command – and the collection.
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

/** RESP: an array of as many bulk strings as its first line tells; the first is the command. */
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
