import assert from 'node:assert/strict'
import { isPublicAddress } from './publicAddress.ts'

describe('public addresses', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
  ])
    it(`include ${address}`, () => assert.equal(isPublicAddress(address), true))

  for (const address of [
    '',
    'localhost',
    '2130706433',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'ff02::1',
  ])
    it(`do not include ${address || 'an empty text'}`, () => assert.equal(isPublicAddress(address), false))
})
