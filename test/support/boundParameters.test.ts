import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { checkBoundParameters } from './boundParameters.ts'

describe('statements of SQLite in tests', () => {
  const db = new DatabaseSync(':memory:')
  before(checkBoundParameters)
  after(() => db.close())

  for (const [name, sql, values] of [
    ['a renamed parameter', "SELECT :new AS a, ':x' AS b", [{}]],
    ['a parameter without an object', 'SELECT :a', []],
    ['a parameter that is undefined', 'SELECT $a', [{ a: undefined }]],
    ['a parameter without a name', 'SELECT ? + ?', [1]],
    ['a numbered parameter', 'SELECT ?2', [1]],
    ['one of both kinds', 'SELECT :a + ?', [{ a: 1 }]],
  ] as const)
    it(`throw if there is no value for ${name}`, () => {
      const run = () => db.prepare(sql).all(...(values as readonly never[]))
      assert.throws(run, /^Error: no value for /)
    })

  it('explain their plan without values', () => {
    assert.equal(db.prepare('EXPLAIN QUERY PLAN SELECT :a').all().length, 1)
  })

  it('run with a value for each parameter', () => {
    const sql = `SELECT :a AS a, ? AS b, '?' AS c, "x:y" AS d FROM (SELECT 1 AS "x:y") -- :none ?`
    assert.deepEqual({ ...db.prepare(sql).get({ a: 1 }, null) }, { a: 1, b: null, c: '?', d: 1 })
    assert.deepEqual(
      [...db.prepare('SELECT ?1 AS a, ?1 AS b').iterate(2)].map((row) => ({ ...row })),
      [{ a: 2, b: 2 }],
    )
  })
})
