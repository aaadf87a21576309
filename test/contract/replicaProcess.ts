import process from 'node:process'
import { quotaWire } from '@postrider/contracts/wire.ts'
import { served } from './grpc.ts'

/** A replica of a service in a process of its own: every answer tells which one gave it, 5 ms after it was asked. */
const [name = '', port = '0'] = process.argv.slice(2)

const answer = () =>
  new Promise<never>((resolve) => setTimeout(() => resolve({ token: name, taken_back: true } as never), 5))

const implementation = Object.fromEntries(Object.keys(quotaWire.methods).map((method) => [method, answer]))
const server = await served({ wire: quotaWire, implementation: implementation as never }, { port: Number(port) })
process.on('SIGTERM', () => void server[Symbol.asyncDispose]().then(() => process.disconnect?.()))
process.send?.(server.port)
