import assert from 'node:assert/strict'
import { actionFilterProblem, auditActions } from './actions.ts'

describe('filter of actions', () => {
  for (const filter of [...auditActions, 'key.*', 'webhook.*', 'workspace.*'])
    it(`accepts ${filter}`, () => assert.equal(actionFilterProblem(filter), null))

  for (const filter of ['key', 'key.', 'key.typo', 'key.re*', 'key.*.*', 'key.revoke.x'])
    it(`lists the actions of the noun for ${filter}`, () =>
      assert.equal(
        actionFilterProblem(filter),
        'Must be one of key.create, key.revoke, key.roll, key.update, or key.* for all of them.',
      ))

  for (const filter of [
    '',
    'typo',
    '*',
    '*.*',
    'keys.revoke',
    'KEY.REVOKE',
    'constructor.*',
    'toString',
    'revoke',
    'key revoke',
  ])
    it(`lists every action for ${JSON.stringify(filter)}`, () => {
      const problem = actionFilterProblem(filter) ?? ''
      for (const action of auditActions) assert.ok(problem.includes(action), action)
    })
})
