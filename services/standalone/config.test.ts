import assert from 'node:assert/strict'
import { readConfig } from '@postrider/kit/config.ts'
import { Config as Prepare } from '@postrider/prepare/config.ts'
import type { z } from 'zod'
import { clusterConfigs } from './clusterConfigs.ts'
import { Config as Standalone } from './config.ts'

const programs: Record<string, z.ZodObject> = { standalone: Standalone, ...clusterConfigs, prepare: Prepare }

describe('configuration errors', () => {
  const secret = 'hunter2'
  const wrong: Record<string, string> = {
    MONGODB_URL: `postgres://user:${secret}@db`,
    REDIS_URL: `http://:${secret}@redis`,
    POSTRIDER_WIRE_TOKEN: `too short,${secret}`,
    POSTRIDER_SECRET: secret,
    POSTRIDER_OPERATOR_TOKEN: secret,
    POSTRIDER_ROUTE: `smtp://user:${secret}@relay:0/path`,
    KAFKA_SASL: 'plain',
    KAFKA_PASSWORD: secret,
  }

  for (const [name, config] of Object.entries(programs)) {
    it(`name every wrong variable of ${name} and no secret`, () => {
      const read = readConfig(config, wrong)
      assert.ok('errors' in read)
      const secrets = Object.keys(wrong).filter((variable) => variable in config.shape && variable !== 'KAFKA_PASSWORD')
      for (const variable of secrets) {
        assert.ok(
          read.errors.some((error) => error.startsWith(`${variable}: `)),
          variable,
        )
      }
      assert.doesNotMatch(read.errors.join('\n'), new RegExp(secret))
    })
  }
})
