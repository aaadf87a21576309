import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, type Client, rawMail } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { undisturbed } from '../support/undisturbed.ts'
import { until } from '../support/until.ts'
import { useCluster } from './shared.ts'

/** Returns the limit in the headers of a response. Here the key and its workspace have the same limit. */
const limitIn = ({ headers }: HttpResponse<unknown>) => {
  const standing = /^"(?:send|workspace)";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? []
  const policy = /^"send";q=(\d+);w=(\d+)/.exec(String(headers['ratelimit-policy'])) ?? []
  return {
    left: Number(standing[1]),
    resetSeconds: Number(standing[2]),
    quota: Number(policy[1]),
    windowSeconds: Number(policy[2]),
  }
}

describe('rate limit with four gateways (I23)', () => {
  const system = useCluster()
  const [rate, burst] = [2, 20]

  const sending = async (): Promise<(gateway: Client) => Promise<HttpResponse<unknown>>> => {
    const { api } = await system().client.tenant({ rate, burst })
    return (gateway) => gateway.withKey(api.key).call({ path: '/api/v1/emails', json: rawMail() })
  }

  /** Sends five times the burst through all gateways at the same time. */
  const measure = async () => {
    const send = await sending()
    const { gateways } = system()
    const responses: HttpResponse<unknown>[] = []
    const since = performance.now()
    const sendMany = async (gateway: Client) => {
      while (responses.length < 5 * burst) responses.push(await send(gateway))
    }
    await Promise.all([...gateways, ...gateways].map(sendMany))
    const seconds = (performance.now() - since) / 1_000
    // The limit admitted a send that is refused later because a busy machine had no time for it: 503.
    const isAdmitted = ({ status }: HttpResponse<unknown>) => status === 202 || status === 503
    const [admitted, refused] = [responses.filter(isAdmitted), responses.filter((response) => !isAdmitted(response))]
    for (const response of refused) assertProblem(response, 429, 'rate_limited')
    return { admitted: admitted.length, max: burst + rate * seconds }
  }

  it('admits no more than burst and rate in total', async () => {
    const { admitted, max } = await undisturbed(system(), measure)
    // The request that created the key also counts for its workspace.
    assert.ok(admitted >= burst - 1 && admitted <= max, `${admitted} of ${max}`)
  })

  it('counts the requests of all gateways in the headers of each', async () => {
    const { standings, refilled } = await undisturbed(system(), async () => {
      const send = await sending()
      const { gateways } = system()
      const since = performance.now()
      const responses = await Promise.all([...gateways, ...gateways, ...gateways].map(send))
      return {
        standings: responses.map(limitIn),
        refilled: Math.ceil((rate * (performance.now() - since)) / 1_000),
      }
    })
    for (const { quota, windowSeconds, resetSeconds, left } of standings) {
      assert.deepEqual([quota, windowSeconds], [burst, burst / rate])
      assert.ok(resetSeconds >= 1 && resetSeconds <= windowSeconds, `${resetSeconds} s`)
      assert.ok(left < burst, `${left} left`)
    }
    const least = Math.min(...standings.map(({ left }) => left))
    assert.ok(
      least <= burst - standings.length + refilled,
      `${least} left after ${standings.length} requests, ${refilled} refilled`,
    )
  })

  it('admits a request at another gateway after the Retry-After of the first', async () => {
    const send = await sending()
    const [one, other] = system().gateways
    if (!one || !other) throw new Error('there are no two gateways')
    // A slow machine can need so long for a round that all of it is admitted.
    const seconds = await until('a request is refused', async () => {
      const responses = await Promise.all(Array.from({ length: burst * 2 }, () => send(one)))
      const refused = responses.filter(({ status }) => status === 429)
      return refused.length === 0
        ? undefined
        : Math.max(...refused.map(({ headers }) => Number(headers['retry-after'])))
    })
    assert.ok(seconds >= 1, `Retry-After: ${seconds}`)
    await pause(seconds * 1_000)
    assert.equal((await answered(() => send(other))).status, 202)
  })
})
