import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { Redis } from 'ioredis'
import { fresh } from '../../support/client.ts'
import { numbers } from '../random.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const sends = numbers(40, 1_000)
const logIns = 12
/** A burst, and another where the limit changes hands meanwhile. */
const mostLetThrough = 10

type Trouble = { name: string; begin(rig: ClusterRig): unknown; end(rig: ClusterRig): unknown }

const flush = async ({ redis }: ClusterRig): Promise<void> => {
  const client = new Redis(redis.server.address)
  await client.flushall()
  client.disconnect()
}

const troubles: Trouble[] = [
  { name: 'killed', begin: ({ redis }) => redis.server.kill9(), end: ({ redis }) => redis.server.restart() },
  { name: 'silent', begin: ({ redis }) => redis.server.pause(), end: ({ redis }) => redis.server.resume() },
  {
    name: 'behind a wire that swallows all',
    begin: ({ redis }) => redis.wire.halfOpen(),
    end: ({ redis }) => redis.wire.heal(),
  },
  { name: 'emptied', begin: flush, end: () => {} },
]

/** What many tries with a wrong password from one address come to. @returns how many were looked at */
const tryToLogIn = async ({ client }: ClusterRig): Promise<number> => {
  const json = { email: fresh('nobody'), password: 'wrong horse battery staple' }
  const headers = { 'x-forwarded-for': `10.9.${randomInt(250)}.${randomInt(250)}` }
  let letThrough = 0
  for (let tries = 0; tries < logIns; tries++) {
    const { status } = await client.call({ path: '/api/v1/auth/login', json, headers })
    assert.ok(status === 401 || status === 429, String(status))
    if (status === 401) letThrough++
  }
  return letThrough
}

export const redisAway = (rig: () => ClusterRig): void => {
  let round: Round

  before(async () => {
    round = await rig().round('redis')
  })

  for (const { name, begin, end } of troubles) {
    it(`${name}: sends go on, and log-ins are limited`, async function () {
      this.timeout(numbers(60_000, 300_000))
      const sending = round.sendAll(sends)
      round.behind(sending)
      try {
        await begin(rig())
        const letThrough = await tryToLogIn(rig())
        assert.ok(letThrough > 0 && letThrough <= mostLetThrough, `${letThrough} of ${logIns}`)
        await sending
      } finally {
        await end(rig())
      }
    })
  }
}
