import assert from 'node:assert/strict'
import { Config } from './config.ts'

const { POSTRIDER_WEBHOOK_ALLOW: allow, POSTRIDER_WEBHOOK_PORTS: ports } = Config.shape

describe('settings of webhooks', () => {
  it('allow public addresses and the port of HTTPS unless they are set', () => {
    assert.deepEqual([allow.parse(undefined), ports.parse(undefined)], [[], [443]])
  })

  it('are lists separated by commas', () => {
    assert.deepEqual(allow.parse(' 10.0.0.0/8, fd00::/8,127.0.0.1 '), ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'])
    assert.deepEqual(ports.parse('443, 8443'), [443, 8_443])
  })

  for (const text of ['10.0.0.0/33', 'localhost', '10.0.0.1:80', '10.0.0.1;10.0.0.2', '*'])
    it(`refuse the network ${text}`, () => assert.match(String(allow.safeParse(text).error), /such as 10\.0\.0\.0\/8/))

  for (const text of ['0', '65536', 'https', '443-445', '-1', '4.5', ','])
    it(`refuse the port ${text}`, () => assert.match(String(ports.safeParse(text).error), /such as 443,8443/))
})
