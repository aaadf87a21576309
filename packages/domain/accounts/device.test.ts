import assert from 'node:assert/strict'
import { deviceDigest } from './device.ts'

describe('devices of a user', () => {
  const device = { user: 'usr_1', device: 'Firefox on Linux', address: '192.0.2.7' }
  const digest = deviceDigest(device)

  it('are the same on each address of a network', () => {
    assert.match(digest, /^[\w-]{43}$/)
    assert.equal(deviceDigest({ ...device, address: '192.0.2.200' }), digest)
  })

  for (const [name, change] of [
    ['programs', { device: 'Safari on macOS' }],
    ['networks', { address: '198.51.100.7' }],
    ['users', { user: 'usr_2' }],
  ] as const)
    it(`differ between ${name}`, () => assert.notEqual(deviceDigest({ ...device, ...change }), digest))
})
