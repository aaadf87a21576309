import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { Config } from '@postrider/standalone/config.ts'
import { serve } from '@postrider/standalone/serve.ts'
import { standaloneMetrics, startStandalone } from '@postrider/standalone/standalone.ts'
import { clientThread } from './clientThread.ts'

type Headers = Record<string, string>
type Parts = { headers?: Headers; body?: Uint8Array }
type Request = Parts & { method: string; path: string }

/**
 * Opens all services in this thread, with a client in another one, for tests that measure the event loop iterations.
 * Requests have a test key; `session` returns the headers of a person who is logged in.
 * @param env replaces variables; live mail is captured unless it has another mail route
 */
export const openIterationsRig = async (env: Record<string, string> = {}) => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-turns-'))
  const config = Config.parse({
    PORT: '0',
    POSTRIDER_DATA: directory,
    POSTRIDER_ROUTE: 'mailbox:',
    POSTRIDER_SEND_RATE: '100000/100000',
    POSTRIDER_WRITE_RATE: '100000/100000',
    POSTRIDER_READ_RATE: '100000/100000',
    POSTRIDER_WORKSPACE_RATE: '100000/100000',
    ...env,
  })
  const quiet = () => {}
  const log = { info: quiet, warn: quiet, error: console.error, fatal: console.error } as never
  const metrics = makeMetrics(standaloneMetrics)
  const service = await startStandalone({ config, log, metrics, onFatal: (reason) => assert.fail(String(reason)) })
  const edge = await serve({ config, log, metrics, service })
  const client = clientThread()
  const port = Number(new URL(edge.url).port)
  const key = edge.first?.testKey ?? assert.fail('no first key')
  const byKey = { authorization: `Bearer ${key}` }
  const typed = { 'content-type': 'application/json' }
  const toCall = ({ method, path, headers = byKey, body }: Request) => ({
    port,
    method,
    path,
    headers: { ...(body && typed), ...headers },
    body: body ?? null,
  })
  const call = async (method: string, path: string, parts: Parts = {}) => {
    const [response] = await client.call([toCall({ method, path, ...parts })])
    return response ?? assert.fail('no response')
  }

  const session = async (): Promise<Headers> => {
    const account = { email: 'jane@example.com', password: 'a long password of Jane 4711', workspace_name: 'Jane' }
    const body = Buffer.from(JSON.stringify(account))
    const response = await call('POST', '/api/v1/auth/signup', { headers: {}, body })
    assert.equal(response.status, 201, response.text)
    const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? assert.fail('no cookie')
    return { cookie, 'x-csrf-token': JSON.parse(response.text).csrf_token }
  }
  return {
    port,
    call,
    /**
     * Sends requests at the same time, each over a connection of its own. Returns short texts: reading the whole ones
     * would count as work of this thread.
     */
    together: (requests: readonly Request[]) => client.call(requests.map(toCall), 300),
    byKey,
    session,
    post: (path: string, body: Uint8Array, headers: Headers = byKey) => call('POST', path, { headers, body }),
    get: (path: string) => call('GET', path),
    drain: service.drain,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await edge[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}
