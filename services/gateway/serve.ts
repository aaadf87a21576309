import type { RequestListener } from 'node:http'
import { closeServer, listen } from '@postrider/kit/listen.ts'
import type { Units } from '@postrider/ports/durable.ts'
import { gatewayApp } from './app.ts'
import type { GatewayConfig, GatewayDeps } from './deps.ts'
import { gatewayServer } from './server.ts'

type Given = Omit<GatewayDeps, 'ready' | 'config'> & {
  /** 0: a free one. */
  port: number
  config: Omit<GatewayConfig, 'publicUrl'> & { publicUrl: string | null }
  /** Runs each request; what it wrote stands or falls together where the store has such a thing. */
  unit: Units['unit']
  /** Whether it has what it needs, beside not draining. */
  ready(): boolean | Promise<boolean>
}

/**
 * Opens the HTTP edge. Disposing of it tells every client to close its connection, finishes the requests in hand and
 * on their way, and takes no more.
 */
export const serveGateway = async ({
  port,
  config,
  unit,
  ...deps
}: Given): Promise<AsyncDisposable & { url: string }> => {
  const state = { draining: false }
  const made = Promise.withResolvers<RequestListener>()
  const server = gatewayServer((request, response) => void made.promise.then((handle) => handle(request, response)))
  const url = await listen(server, port, 'PORT')
  const handle = gatewayApp({
    ...deps,
    ready: () => !state.draining && deps.ready(),
    config: { ...config, publicUrl: config.publicUrl ?? url },
  }).callback()
  made.resolve((request, response) => {
    if (state.draining) response.setHeader('Connection', 'close')
    void unit(async () => handle(request, response))
  })
  deps.log.info({ url }, 'listening')
  const drain = (): void => {
    state.draining = true
  }
  return { url, [Symbol.asyncDispose]: () => closeServer(server, drain) }
}
