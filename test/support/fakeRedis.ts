import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What it answers a command, in RESP and without the last line end; null: nothing as long as it acts this way. */
export type FakeAnswer = (command: readonly string[]) => string | null

/** Reads one array of bulk strings off the front. */
const readCommand = (text: string): { command: string[]; rest: string } | null => {
  const lines = text.split('\r\n')
  const parts = Number(lines[0]?.slice(1))
  if (!(lines.length > 2 * parts + 1)) return null
  const command = Array.from({ length: parts }, (_, part) => lines[2 * part + 2] ?? '')
  return { command, rest: lines.slice(2 * parts + 1).join('\r\n') }
}

/** A server that speaks as much of Redis as a script needs that has no line end in its arguments; `act` says how. */
export const fakeRedis = async (first: FakeAnswer) => {
  let answer = first
  /** What is done for each connection when there is something to answer. */
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
    act: (next: FakeAnswer): void => {
      answer = next
      for (const work of sockets.values()) work()
    },
    cut,
    [Symbol.asyncDispose]: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers as a server in good order to which every bucket is full. */
export const inOrder: FakeAnswer = ([name = '', , keyCount]) => {
  const command = name.toLowerCase()
  if (command === 'hello') return '-ERR unknown command `HELLO`'
  if (command === 'info') return '$9\r\nloading:0'
  if (command === 'ping') return '+PONG'
  if (command !== 'evalsha') return '+OK'
  return [`*${keyCount}`, ...Array<string>(Number(keyCount)).fill(':0')].join('\r\n')
}

/** Takes connections and says the same to every script. */
export const answering =
  (line: string | null): FakeAnswer =>
  (command) =>
    command[0]?.toLowerCase() === 'evalsha' ? line : inOrder(command)
