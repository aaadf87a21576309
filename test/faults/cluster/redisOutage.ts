import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { Redis } from 'ioredis'
import { answered, fresh } from '../../support/client.ts'
import { shortOrLong } from '../random.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const sends = shortOrLong(40, 1_000)
const logIns = 12
/** Two bursts: during the test the limit may move from Redis to the process. */
const maxAdmitted = 10

type RedisFault = { name: string; begin(rig: ClusterRig): unknown; end(rig: ClusterRig): unknown }

const flush = async ({ redis }: ClusterRig): Promise<void> => {
  const client = new Redis(redis.server.address)
  await client.flushall()
  client.disconnect()
}

const faults: RedisFault[] = [
  { name: 'Redis is killed', begin: ({ redis }) => redis.server.kill9(), end: ({ redis }) => redis.server.restart() },
  {
    name: 'Redis does not respond',
    begin: ({ redis }) => redis.server.pause(),
    end: ({ redis }) => redis.server.resume(),
  },
  {
    name: 'the network drops all packets',
    begin: ({ redis }) => redis.proxy.halfOpen(),
    end: ({ redis }) => redis.proxy.heal(),
  },
  { name: 'Redis loses all keys', begin: flush, end: () => {} },
]

/** Sends many logins with a wrong password from one address. @returns the number that the rate limit admitted */
const tryToLogIn = async ({ client }: ClusterRig): Promise<number> => {
  const json = { email: fresh('unknown'), password: 'wrong horse battery staple' }
  const headers = { 'x-forwarded-for': `10.9.${randomInt(250)}.${randomInt(250)}` }
  let admitted = 0
  for (let tries = 0; tries < logIns; tries++) {
    // A busy machine can have no time for a hash: 503.
    const { status } = await answered(() => client.call({ path: '/api/v1/auth/login', json, headers }))
    assert.ok(status === 401 || status === 429, String(status))
    if (status === 401) admitted++
  }
  return admitted
}

export const redisOutage = (rig: () => ClusterRig): void => {
  let round: Round

  before(async () => {
    round = await rig().round('redis')
  })

  for (const { name, begin, end } of faults) {
    it(`refuses no send and limits logins if ${name}`, async () => {
      const sending = round.sendAll(sends)
      round.inBackground(sending)
      try {
        await begin(rig())
        const admitted = await tryToLogIn(rig())
        assert.ok(admitted > 0 && admitted <= maxAdmitted, `${admitted} of ${logIns}`)
        await sending
      } finally {
        await end(rig())
      }
    })
  }
}
