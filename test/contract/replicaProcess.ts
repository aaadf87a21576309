import process from 'node:process'
import { quotaSpec } from '@postrider/contracts/services.ts'
import { served } from './grpc.ts'

/** A replica of a service as a process: every answer names the replica that gave it, after 5 ms. */
const [name = '', port = '0'] = process.argv.slice(2)

const answer = () =>
  new Promise<never>((resolve) => setTimeout(() => resolve({ token: name, taken_back: true } as never), 5))

const implementation = Object.fromEntries(Object.keys(quotaSpec.methods).map((method) => [method, answer]))
const server = await served({ spec: quotaSpec, implementation: implementation as never }, { port: Number(port) })
process.on('SIGTERM', () => void server[Symbol.asyncDispose]().then(() => process.disconnect?.()))
process.send?.(server.port)
