import assert from 'node:assert/strict'
import { join } from 'node:path'
import { unusedExports } from './exports.ts'

describe('unusedExports', () => {
  it('returns exported values that no module imports, and those that only tests use', () => {
    const a = `import { b } from './b.ts'
export type Shape = { size: number }
export const imported = b
export const alone = 1
// tested is used by tests.
export const tested = 2
const helped = 3
export { helped as renamed }
export const usedHere = () => imported`
    const b = `export * from './c.ts'
export const b = 1
export const lazy = async () => (await import('./d.ts')).d`
    const product = [
      { file: 'a.ts', text: a },
      { file: 'b.ts', text: b },
      { file: 'c.ts', text: 'export const c = 1' },
      { file: 'd.ts', text: 'export const d = 1' },
      { file: 'main.ts', text: "import { imported, type Shape } from './a.ts'\nconst own = () => own()" },
    ]
    const tests = [
      { file: 'a.test.ts', text: "import { tested, usedHere } from './a.ts'\nimport { lazy } from './b.ts'" },
    ]
    const fileOf = (_: string, specifier: string) => join(specifier)
    assert.deepEqual(unusedExports({ product, tests, fileOf }), [
      'a.ts alone',
      'a.ts tested',
      'a.ts renamed',
      'a.ts usedHere',
      'b.ts lazy',
    ])
  })

  it('accepts a value that only tests import if its own module uses it', () => {
    const product = [{ file: 'a.ts', text: 'export const step = 1\nconst sum = step + 1' }]
    const tests = [{ file: 'a.test.ts', text: "import { step } from './a.ts'" }]
    assert.deepEqual(unusedExports({ product, tests, fileOf: (_, specifier) => join(specifier) }), [])
  })
})
