import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertProblem } from '../support/assertProblem.ts'
import { type Client, rawMail } from '../support/client.ts'
import type { Answer } from '../support/http.ts'
import { useCluster } from './shared.ts'

/** What the headers tell of the tighter limit; here both the key and its workspace have the same. */
const told = ({ headers }: Answer<unknown>) => {
  const standing = /^"(?:send|workspace)";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? []
  const policy = /^"send";q=(\d+);w=(\d+)/.exec(String(headers['ratelimit-policy'])) ?? []
  return {
    left: Number(standing[1]),
    resetSeconds: Number(standing[2]),
    quota: Number(policy[1]),
    windowSeconds: Number(policy[2]),
  }
}

describe('a rate limit over four gateways (I23)', () => {
  const system = useCluster()
  const [rate, burst] = [2, 20]

  const sending = async (): Promise<(gateway: Client) => Promise<Answer<unknown>>> => {
    const { api } = await system().client.tenant({ rate, burst })
    return (gateway) => gateway.withKey(api.key).call({ path: '/api/v1/emails', json: rawMail() })
  }

  /** Asks all gateways at once for five times what they may admit. */
  const measure = async () => {
    const send = await sending()
    const { gateways } = system()
    const answers: Answer<unknown>[] = []
    const since = performance.now()
    const ask = async (gateway: Client) => {
      while (answers.length < 5 * burst) answers.push(await send(gateway))
    }
    await Promise.all([...gateways, ...gateways].map(ask))
    const seconds = (performance.now() - since) / 1_000
    for (const { status, ...answer } of answers)
      if (status !== 202) assertProblem({ status, ...answer }, 429, 'rate_limited')
    return { admitted: answers.filter(({ status }) => status === 202).length, most: burst + rate * seconds }
  }

  it('together they admit the burst and the rate, no more', async () => {
    // Whoever has no answer from Redis within 50 ms decides by itself, as on a machine that is very busy: then they may
    // be off by a burst, and it is measured again.
    const found: string[] = []
    for (let round = 0; round < 3; round++) {
      const { admitted, most } = await measure()
      // The request that made the key counts for its workspace, too.
      if (admitted >= burst - 1 && admitted <= most) return
      assert.ok(admitted <= burst + most, `${admitted} of ${most}`)
      found.push(`${admitted} of ${most}`)
    }
    assert.fail(found.join('; '))
  })

  it('what one takes the others count, and each tells so in its headers', async () => {
    const send = await sending()
    const { gateways } = system()
    const since = performance.now()
    const standings = (await Promise.all([...gateways, ...gateways, ...gateways].map(send))).map(told)
    const back = Math.ceil((rate * (performance.now() - since)) / 1_000)
    for (const { quota, windowSeconds, resetSeconds, left } of standings) {
      assert.deepEqual([quota, windowSeconds], [burst, burst / rate])
      assert.ok(resetSeconds >= 1 && resetSeconds <= windowSeconds, `${resetSeconds} s`)
      assert.ok(left < burst, `${left} left`)
    }
    const least = Math.min(...standings.map(({ left }) => left))
    assert.ok(least <= burst - standings.length + back, `${least} left after ${standings.length}, ${back} came back`)
  })

  it('who waits as one gateway says is admitted by another', async () => {
    const send = await sending()
    const [one, other] = system().gateways
    if (!one || !other) throw new Error('there are no two gateways')
    const answers = await Promise.all(Array.from({ length: burst * 2 }, () => send(one)))
    const seconds = Math.max(...answers.map(({ headers }) => Number(headers['retry-after'] ?? 0)))
    assert.ok(seconds >= 1, 'nobody was told to wait')
    await pause(seconds * 1_000)
    assert.equal((await send(other)).status, 202)
  })
})
