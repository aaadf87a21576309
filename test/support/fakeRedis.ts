import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/**
 * Returns the reply to a command in RESP, without the last line end; null: no reply until `act` replaces the function.
 */
export type FakeReply = (command: readonly string[]) => string | null

/** Reads one command, an array of bulk strings, from an index of the text; null: it is not complete. */
const readCommand = (text: string, from: number): { command: string[]; end: number } | null => {
  let end = from
  const lines: string[] = []
  // The number of strings, and the length and the content of each.
  for (let count = 1; lines.length < count; ) {
    const lineEnd = text.indexOf('\r\n', end)
    if (lineEnd < 0) return null
    lines.push(text.slice(end, lineEnd))
    end = lineEnd + 2
    count = 2 * Number(lines[0]?.slice(1)) + 1
  }
  return { command: lines.filter((_, index) => index > 0 && index % 2 === 0), end }
}

/** Starts a server that speaks enough of the Redis protocol to run scripts whose arguments contain no line end. */
export const fakeRedis = async (first: FakeReply) => {
  let answer = first
  /** By connection: replies to the commands that wait. */
  const sockets = new Map<Socket, () => void>()
  const server = createServer((socket) => {
    let waiting = ''
    const work = (): void => {
      let from = 0
      for (let read = readCommand(waiting, from); read !== null; read = readCommand(waiting, from)) {
        const line = answer(read.command)
        if (line === null) break
        from = read.end
        socket.write(`${line}\r\n`)
      }
      waiting = waiting.slice(from)
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
