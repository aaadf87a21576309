import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertProblem } from '../support/assertProblem.ts'
import { rawMail } from '../support/client.ts'
import type { Answer } from '../support/http.ts'
import { useSystem } from '../support/suite.ts'

const policyShape = /^"[^"]+";q=\d+;w=\d+/
const stateShape = /^"[^"]+";r=\d+;t=\d+/

describe('rate limits', () => {
  const system = useSystem()
  const planRate = { rate: 'plan', burst: 'plan' } as const

  it('admits a burst of 20 and 10 requests per second of a key, and a request after Retry-After', async () => {
    const tenant = await system().client.tenant(planRate)
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 100 }, () => tenant.send(rawMail())))
    const seconds = (performance.now() - startedAt) / 1_000
    const admitted = answers.filter((one) => one.status === 202).length
    assert.ok(admitted >= 20 && admitted <= 20 + 10 * seconds + 1, `${admitted} in ${seconds} s`)
    const [refused] = answers.filter((one) => one.status !== 202)
    if (refused === undefined) throw new Error('no request was refused')
    assertProblem(refused, 429, 'rate_limited')
    const wait = refused.headers['retry-after'] ?? ''
    assert.match(wait, /^[1-9]\d*$/)
    await pause(Number(wait) * 1_000)
    assert.equal((await tenant.send(rawMail())).status, 202)
  })

  it('every response reports the rate limit policy and its state', async () => {
    const tenant = await system().client.tenant(planRate)
    const answers = [
      await tenant.send(rawMail()),
      await tenant.send(rawMail({ subject: null })),
      await tenant.api.call({ path: '/api/v1/emails' }),
      await tenant.api.call({ path: '/api/v1/templates' }),
      await tenant.api.call({ path: '/api/v1/emails/em_01h2xcejqtf2nbrexx3vqjhp41' }),
    ]
    for (const { headers } of answers) {
      assert.match(String(headers['ratelimit-policy']), policyShape)
      assert.match(String(headers['ratelimit']), stateShape)
    }
    const left = (index: number) => Number(/;r=(\d+)/.exec(String(answers[index]?.headers['ratelimit']))?.[1])
    assert.ok(left(0) <= 19 && left(1) < left(0) + 1, `${left(0)} then ${left(1)}`)
  })

  it('counts refused requests, and limits reads separately', async () => {
    const tenant = await system().client.tenant(planRate)
    const since = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, number) => tenant.send(rawMail(number % 2 === 0 ? { subject: null } : {}))),
    )
    const most = 20 + (10 * (performance.now() - since)) / 1_000 + 1
    const statuses = answers.map((one) => one.status)
    assert.deepEqual([...new Set(statuses)].sort(), [202, 422, 429])
    const admitted = statuses.filter((status) => status !== 429).length
    assert.ok(admitted <= most, `${admitted} of ${most}`)
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
    const tenant = await system().client.tenant(planRate)
    const keys = await Promise.all(Array.from({ length: 8 }, () => tenant.makeKey()))
    const startedAt = performance.now()
    const answers: Answer<unknown>[] = []
    // A machine that needs more than a second for 160 requests can admit the whole first round.
    for (let round = 0; round < 5 && !answers.some((one) => one.status === 429); round++) {
      const calls = keys.flatMap((one) =>
        Array.from({ length: 20 }, () => one.call({ path: '/api/v1/emails', json: rawMail() })),
      )
      answers.push(...(await Promise.all(calls)))
    }
    const seconds = (performance.now() - startedAt) / 1_000
    const admitted = answers.filter((one) => one.status === 202).length
    assert.ok(admitted <= 100 + 50 * seconds + 1, `${admitted} in ${seconds} s`)
    assert.ok(answers.some((one) => one.status === 429))
  })

  it('a rate and burst of the operator replace those of the plan', async () => {
    const tenant = await system().client.tenant()
    await system().client.setLimits(tenant.workspace.id, { rate: 1, burst: 3 })
    const since = performance.now()
    const answers = await Promise.all(Array.from({ length: 12 }, () => tenant.send(rawMail())))
    const most = 3 + (performance.now() - since) / 1_000 + 1
    const admitted = answers.filter((one) => one.status === 202).length
    assert.ok(admitted >= 3 && admitted <= most, `${admitted} of ${most}`)
  })
})
