import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertProblem } from '../support/assertProblem.ts'
import { rawMail } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { useSystem } from '../support/suite.ts'
import { undisturbed } from '../support/undisturbed.ts'

const policyShape = /^"[^"]+";q=\d+;w=\d+/
const stateShape = /^"[^"]+";r=\d+;t=\d+/

describe('rate limits', () => {
  const system = useSystem()
  const planRate = { rate: 'plan', burst: 'plan' } as const

  /**
   * Sends rounds of requests until one is refused. A slow machine can need so long for a round that all of it is
   * admitted.
   * @returns the responses, and the duration in seconds
   */
  const untilLimited = async (perRound: number, send: (number: number) => Promise<HttpResponse<unknown>>) => {
    const startedAt = performance.now()
    const responses: HttpResponse<unknown>[] = []
    for (let round = 0; round < 8 && !responses.some(({ status }) => status === 429); round++)
      responses.push(...(await Promise.all(Array.from({ length: perRound }, (_, number) => send(number)))))
    return { responses, seconds: (performance.now() - startedAt) / 1_000 }
  }

  const admittedOf = (responses: readonly HttpResponse<unknown>[]): number =>
    responses.filter(({ status }) => status !== 429).length

  /** Measures, and asserts that from `min` to `max` requests were admitted. */
  const measured = async <T extends { admitted: number; max: number }>(
    min: number,
    measure: () => Promise<T>,
  ): Promise<T> => {
    const found = await undisturbed(system(), measure)
    const { admitted, max } = found
    assert.ok(admitted >= min && admitted <= max, `${admitted} were admitted, not ${min} to ${max}`)
    return found
  }

  it('admits a burst of 20 and 10 requests per second of a key, and a request after Retry-After', async () => {
    const { tenant, refused } = await measured(20, async () => {
      const tenant = await system().client.tenant(planRate)
      const { responses, seconds } = await untilLimited(100, () => tenant.send(rawMail()))
      const refused = responses.find(({ status }) => status === 429)
      return { tenant, refused, admitted: admittedOf(responses), max: 20 + 10 * seconds + 1 }
    })
    assertProblem(refused ?? assert.fail('no request was refused'), 429, 'rate_limited')
    const wait = refused?.headers['retry-after'] ?? ''
    assert.match(wait, /^[1-9]\d*$/)
    await pause(Number(wait) * 1_000)
    assert.equal((await tenant.send(rawMail())).status, 202)
  })

  it('every response reports the rate limit policy and its state', async () => {
    const tenant = await system().client.tenant(planRate)
    const responses = [
      await tenant.send(rawMail()),
      await tenant.send(rawMail({ subject: null })),
      await tenant.api.call({ path: '/api/v1/emails' }),
      await tenant.api.call({ path: '/api/v1/templates' }),
      await tenant.api.call({ path: '/api/v1/emails/em_01h2xcejqtf2nbrexx3vqjhp41' }),
    ]
    for (const { headers } of responses) {
      assert.match(String(headers['ratelimit-policy']), policyShape)
      assert.match(String(headers['ratelimit']), stateShape)
    }
    const left = (index: number) => Number(/;r=(\d+)/.exec(String(responses[index]?.headers['ratelimit']))?.[1])
    assert.ok(left(0) <= 19 && left(1) < left(0) + 1, `${left(0)} then ${left(1)}`)
  })

  it('counts refused requests, and limits reads separately', async () => {
    const { tenant, statuses } = await measured(0, async () => {
      const tenant = await system().client.tenant(planRate)
      const mailOf = (number: number) => rawMail(number % 2 === 0 ? { subject: null } : {})
      const { responses, seconds } = await untilLimited(100, (number) => tenant.send(mailOf(number)))
      const statuses = [...new Set(responses.map(({ status }) => status))].sort()
      return { tenant, statuses, admitted: admittedOf(responses), max: 20 + 10 * seconds + 1 }
    })
    assert.deepEqual(statuses, [202, 422, 429])
    assert.equal((await tenant.api.call({ path: '/api/v1/emails' })).status, 200)
  })

  it('limits each key and each workspace separately', async () => {
    const tenant = await system().client.tenant(planRate)
    const second = await tenant.makeKey()
    const other = await system().client.tenant(planRate)
    await Promise.all(Array.from({ length: 25 }, () => tenant.send(rawMail())))
    assert.equal((await second.call({ path: '/api/v1/emails', json: rawMail() })).status, 202)
    assert.equal((await other.send(rawMail())).status, 202)
  })

  it('limits all keys of a workspace together', async () => {
    const { statuses, max } = await measured(0, async () => {
      const tenant = await system().client.tenant(planRate)
      const keys = await Promise.all(Array.from({ length: 8 }, () => tenant.makeKey()))
      const send = (number: number) => {
        const key = keys[number % keys.length] ?? assert.fail()
        return key.call({ path: '/api/v1/emails', json: rawMail() })
      }
      const { responses, seconds } = await untilLimited(160, send)
      const statuses = responses.map(({ status }) => status)
      return { statuses, admitted: admittedOf(responses), max: 100 + 50 * seconds + 1 }
    })
    // A machine that sends fewer than 50 requests per second does not reach the limit.
    assert.ok(statuses.includes(429) || statuses.length <= max)
  })

  it('a rate and burst of the operator replace those of the plan', async () => {
    await measured(3, async () => {
      const tenant = await system().client.tenant()
      await system().client.setLimits(tenant.workspace.id, { rate: 1, burst: 3 })
      const { responses, seconds } = await untilLimited(12, () => tenant.send(rawMail()))
      return { admitted: admittedOf(responses), max: 3 + seconds + 1 }
    })
  })
})
