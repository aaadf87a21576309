import assert from 'node:assert/strict'
import type { UserQuery } from '@postrider/ports/accountsOperator.ts'
import { iterationsOf } from '../../../../test/support/cost.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { accountsOperator } from './operator.ts'

const count = 1_700
const idOf = (number: number): string => `usr_${String(number).padStart(5, '0')}`

describe('searches of the operator in SQLite', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
    const insert = db.prepare('INSERT INTO users (id, email, password_hash, created_at) VALUES (?, ?, ?, 0)')
    db.write(() => {
      for (let number = 0; number < count; number++)
        insert.run(idOf(number), number % 600 === 0 ? `rare${number}@example.com` : `a${number}@example.com`, '')
    })
  })

  // A text that few addresses have was one statement over all users.
  it('read all users in several event loop iterations', async () => {
    const { findUsers } = accountsOperator(db)
    const query: UserQuery = { before: null, limit: 2, text: null, disabled: null, operator: null }
    const find = async (over: Partial<UserQuery>) => (await findUsers({ ...query, ...over })).map(({ id }) => id)
    assert.deepEqual(await find({ text: 'rare' }), [idOf(1_200), idOf(600)])
    assert.deepEqual(await find({ text: 'rare', before: idOf(600) }), [idOf(0)])
    assert.deepEqual(await find({ operator: true }), [])
    const iterations = await iterationsOf(() => find({ text: 'none' }))
    assert.ok(iterations >= 3, `${iterations} iterations`)
  })
})
