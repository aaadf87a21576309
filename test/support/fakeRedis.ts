import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/**
 * Returns the reply to a command in RESP, without the last line end; null: no reply until `act` replaces the function.
 */
export type FakeReply = (command: readonly string[]) => string | null

/** Reads one command, an array of bulk strings, from the front of the text. */
const readCommand = (text: string): { command: string[]; rest: string } | null => {
  const lines = text.split('\r\n')
  const parts = Number(lines[0]?.slice(1))
  if (!(lines.length > 2 * parts + 1)) return null
  const command = Array.from({ length: parts }, (_, part) => lines[2 * part + 2] ?? '')
  return { command, rest: lines.slice(2 * parts + 1).join('\r\n') }
}

/** Starts a server that speaks enough of the Redis protocol to run scripts whose arguments contain no line end. */
export const fakeRedis = async (first: FakeReply) => {
  let answer = first
  /** By connection: replies to the commands that wait. */
  const sockets = new Map<Socket, () => void>()
  const server = createServer((socket) => {
    let waiting = ''
    const work = (): void => {
      for (let read = readCommand(waiting); read !== null; read = readCommand(waiting)) {
        const line = answer(read.command)
        if (line === null) return
        waiting = read.rest
        socket.write(`${line}\r\n`)
      }
    }
    sockets.set(socket, work)
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data: string) => {
      waiting += data
      work()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets.keys()) socket.destroy()
    sockets.clear()
  }
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Replaces the function that replies, and replies to commands that wait. */
    act: (next: FakeReply): void => {
      answer = next
      for (const work of sockets.values()) work()
    },
    /** Destroys all connections. */
    cut,
    [Symbol.asyncDispose]: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Replies as a healthy server on which every bucket is full. */
export const inOrder: FakeReply = ([name = '', , keyCount]) => {
  const command = name.toLowerCase()
  if (command === 'hello') return '-ERR unknown command `HELLO`'
  if (command === 'info') return '$9\r\nloading:0'
  if (command === 'ping') return '+PONG'
  if (command !== 'evalsha') return '+OK'
  return [`*${keyCount}`, ...Array<string>(Number(keyCount)).fill(':0')].join('\r\n')
}

/** Returns a function that gives the same reply to every script, and replies to other commands as a healthy server. */
export const answering =
  (line: string | null): FakeReply =>
  (command) =>
    command[0]?.toLowerCase() === 'evalsha' ? line : inOrder(command)
