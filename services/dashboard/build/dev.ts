import { createServer } from 'vite'
import { options } from './options.ts'

/** Serves the sources with fast reload, and passes the API to a service on this machine. */
const service = 'http://localhost:8080'
const paths = ['/api', '/docs', '/problems', '/mailbox', '/account']
const proxy = Object.fromEntries(paths.map((path) => [path, { target: service, changeOrigin: true }]))
const server = await createServer({ ...options, logLevel: 'info', server: { port: 5173, proxy } })
await server.listen()
server.printUrls()
