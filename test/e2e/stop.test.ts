import assert from 'node:assert/strict'
import http from 'node:http'
import { connect, rawMail } from '../support/client.ts'
import { makeDataDirectory, operatorToken, removeDataDirectory, startStandalone } from '../support/standalone.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'

const rounds = 3
const clients = 8

type Result = { status: number | null; error: string | null; isSent: boolean }

/** Sends one request on a connection of its own. `isSent`: the kernel has all its bytes. */
const sendAlone = (url: string, path: string, headers: Record<string, string>, body: string | null) => {
  const result: Result = { status: null, error: null, isSent: false }
  const { promise: ended, resolve } = Promise.withResolvers<Result>()
  const request = http.request(new URL(path, url), { method: body === null ? 'GET' : 'POST', headers, agent: false })
  request.on('finish', () => {
    result.isSent = true
  })
  request.on('response', (response) => {
    result.status = response.statusCode ?? null
    response.resume()
    response.on('error', () => {})
  })
  request.on('error', (error: NodeJS.ErrnoException) => {
    result.error = error.code ?? error.message
  })
  request.on('close', () => resolve(result))
  request.end(body ?? undefined)
  return { result, ended }
}

describe('a stop with clients that open a connection for each request', () => {
  needsOwnProcess()

  // New connections were reset while a process stopped: the kernel had accepted them, but not the process. Whether one
  // waits in the kernel when the process stops depends on its load; packages/kit/drain.test.ts makes them wait.
  it(`responds to every request that was sent before, and resets none, in ${rounds} rounds`, async () => {
    const data = await makeDataDirectory()
    try {
      for (let round = 0; round < rounds; round++) {
        const standalone = await startStandalone({ POSTRIDER_OPERATOR_TOKEN: operatorToken }, data)
        const client = connect(standalone.url, operatorToken)
        const tenant = await client.tenant()
        client.close()
        const headers = { authorization: `Bearer ${tenant.api.key}`, 'content-type': 'application/json' }
        const open = new Set<Result>()
        const failed: Result[] = []
        let accepted = 0
        let isNotReady = false
        let mustSucceed: ReadonlySet<Result> = new Set()
        // Like a load balancer, a client opens no connection to a process that is not ready.
        const sender = async (): Promise<void> => {
          while (!isNotReady) {
            const { result, ended } = sendAlone(standalone.url, '/api/v1/emails', headers, JSON.stringify(rawMail()))
            open.add(result)
            await ended
            open.delete(result)
            if (result.status === 202) accepted++
            else if (mustSucceed.has(result) || result.error !== 'ECONNREFUSED') failed.push(result)
          }
        }
        const watcher = async (): Promise<void> => {
          while (!isNotReady) {
            const { status, error } = await sendAlone(standalone.url, '/readyz', {}, null).ended
            isNotReady = status !== 200
            if (error !== null && error !== 'ECONNREFUSED') failed.push({ status, error, isSent: true })
          }
        }
        const running = Promise.all([...Array.from({ length: clients }, sender), watcher()])
        await until('some are accepted', () => accepted > 30 || undefined)
        mustSucceed = new Set([...open].filter(({ isSent }) => isSent))
        assert.equal(await standalone.stop(), 0, standalone.output())
        await running
        assert.deepEqual(failed, [])
      }
    } finally {
      await removeDataDirectory(data)
    }
  })
})
