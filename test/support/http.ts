import http from 'node:http'
import https from 'node:https'

export type Call = {
  method?: string
  path: string
  headers?: Record<string, string>
  /** Sent as `application/json`. */
  json?: unknown
  /** Sent unchanged, as `application/json` unless a header names another type. */
  body?: string | Uint8Array
}

export type HttpResponse<T> = {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  /** The parsed body; undefined if it is not JSON. */
  body: T
  elapsedMs: number
}

export type Http = {
  call<T>(call: Call): Promise<HttpResponse<T>>
  close(): void
}

/**
 * How long a connection without a request stays open. A server closes it later, after 65 s: a request on a connection
 * that the server closes at this moment would fail.
 */
const idleMs = 30_000

const payload = (call: Call): string | Uint8Array | undefined =>
  call.json === undefined ? call.body : JSON.stringify(call.json)

const parsed = <T>(text: string, type: string): T =>
  (/[/+]json\b/.test(type) && text !== '' ? JSON.parse(text) : undefined) as T

/**
 * Returns an HTTP client with persistent connections. `tls`: the certificates that it trusts, and the name in them. It
 * sends only the given headers, and reads a response that the server sends before the request body is complete.
 */
export const openHttp = (baseUrl: string, tls: Pick<https.AgentOptions, 'ca' | 'servername'> = {}): Http => {
  const base = new URL(baseUrl)
  const module = base.protocol === 'https:' ? https : http
  const agent = new module.Agent({ ...tls, keepAlive: true, maxSockets: 128, timeout: idleMs })

  const call = <T>(call: Call): Promise<HttpResponse<T>> =>
    new Promise((resolve, reject) => {
      const body = payload(call)
      const startedAt = performance.now()
      const headers: Record<string, string | number> = {
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...call.headers,
      }
      const method = call.method ?? (body === undefined ? 'GET' : 'POST')
      const request = module.request(
        { host: base.hostname, port: base.port, path: call.path, method, headers, agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.once('error', reject)
          response.once('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              body: parsed<T>(text, response.headers['content-type'] ?? ''),
              elapsedMs: performance.now() - startedAt,
            })
          })
        },
      )
      request.once('error', reject)
      request.end(body)
    })

  return { call, close: () => agent.destroy() }
}
