import assert from 'node:assert/strict'
import { Config as Dispatcher } from '@postrider/dispatcher/config.ts'
import { Config, defaultGatewayLimits, gatewayConfig } from './config.ts'

const required = {
  POSTRIDER_WIRE_TOKEN: 'w'.repeat(32),
  POSTRIDER_ACCOUNTS: 'a:1',
  POSTRIDER_TEMPLATES: 't:1',
  POSTRIDER_QUOTA: 'q:1',
  POSTRIDER_INTAKE: 'i:1',
  POSTRIDER_DOMAINS: 'd:1',
  POSTRIDER_WEBHOOKS: 'w:1',
  REDIS_URL: 'redis://r',
  POSTRIDER_PUBLIC_URL: 'https://mail.example.com',
  POSTRIDER_SECRET: 's'.repeat(32),
}

const limitsFor = (env: Record<string, string>) =>
  gatewayConfig(Config.parse({ ...required, ...env }), { cursorSecret: '', metricsOnPort: false }).limits

describe('memory in the configuration', () => {
  it('has the same bounds by default in both compositions', () => {
    const { longBodies, responses, shortBodies, openBodies } = limitsFor({})
    const { longBodies: long, responses: made, shortBodies: short, openBodies: open } = defaultGatewayLimits
    assert.deepEqual([longBodies, responses, shortBodies, openBodies], [long, made, short, open])
    assert.deepEqual(long, { bytes: 64 * 2 ** 20, bytesOfOne: 40 * 2 ** 20, waitMs: 2_000 })
  })

  it('changes all bounds of a gateway in proportion', () => {
    const { longBodies, responses, shortBodies, openBodies } = limitsFor({ POSTRIDER_BODY_MEMORY_MIB: '16' })
    assert.deepEqual(
      [longBodies, responses, shortBodies, openBodies].map(({ bytes, bytesOfOne }) => [bytes, bytesOfOne]),
      [
        [16, 10],
        [12, 3],
        [4, 2.5],
        [1, 0.25],
      ].map((sizes) => sizes.map((mebibytes) => mebibytes * 2 ** 20)),
    )
  })

  it('refuses a total memory below that of the largest one, and states the size', () => {
    const errors = (config: typeof Config | typeof Dispatcher, env: object): string[] =>
      config.safeParse({ ...required, ...env }).error?.issues.map(({ path, message }) => `${path}: ${message}`) ?? []
    assert.deepEqual(errors(Config, { POSTRIDER_BODY_MEMORY_MIB: '10' }), [
      'POSTRIDER_BODY_MEMORY_MIB: must be at least POSTRIDER_MAX_BODY_MIB, 15 MiB',
    ])
    const stores = { MONGODB_URL: 'mongodb://m', KAFKA_BROKERS: 'k:1' }
    const small = { POSTRIDER_MESSAGE_MEMORY_MIB: '20', POSTRIDER_MAX_MESSAGE_MIB: '25' }
    assert.deepEqual(errors(Dispatcher, { ...stores, ...small }), [
      'POSTRIDER_MESSAGE_MEMORY_MIB: must be at least POSTRIDER_MAX_MESSAGE_MIB, 25 MiB',
    ])
    assert.deepEqual(errors(Dispatcher, { ...stores, ...small, POSTRIDER_MESSAGE_MEMORY_MIB: '25' }), [])
  })
})
