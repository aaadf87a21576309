import assert from 'node:assert/strict'
import { matchesUser, matchesWorkspace } from './operatorSearch.ts'

const anyWorkspace = { text: null, suspended: null, deleting: null }
const workspace = { id: 'ws_1a', name: 'Ätna 100%', suspended: false, deletesAt: null }
const anyUser = { text: null, disabled: null, operator: null }
const user = { id: 'usr_1a', email: 'ada.+x@example.com', isDisabled: false, isOperator: false }

describe('search for workspaces', () => {
  const finds = (text: string, hasMatchedMember = false) =>
    matchesWorkspace({ ...anyWorkspace, text }, workspace, hasMatchedMember)

  it('finds a whole id, a part of the name or the members, in any case', () => {
    assert.deepEqual([finds('ws_1a'), finds('WS_1A'), finds('ws_1')], [true, true, false])
    assert.deepEqual([finds('ätn'), finds('%'), finds('.*')], [true, true, false])
    assert.deepEqual([finds('bob'), finds('bob', true)], [false, true])
  })

  // Regression: the list of emails ignored the case of these letters, and this search did not.
  it('ignores letter case as the list of emails does', () => {
    const finds = (name: string, text: string) =>
      matchesWorkspace({ ...anyWorkspace, text }, { ...workspace, name }, false)
    assert.equal(finds('İstanbul Ltd', 'istanbul'), true)
    assert.equal(finds('ΟΔΟΣ', 'οδοσ'), true)
  })

  it('requires each given state', () => {
    const states = [{ suspended: true }, { suspended: false }, { deleting: true }, { deleting: false }]
    const found = (one: typeof workspace | (Omit<typeof workspace, 'deletesAt'> & { deletesAt: number })) =>
      states.map((state) => matchesWorkspace({ ...anyWorkspace, ...state }, one, false))
    assert.deepEqual(found(workspace), [false, true, false, true])
    assert.deepEqual(found({ ...workspace, suspended: true, deletesAt: 9 }), [true, false, true, false])
    assert.equal(matchesWorkspace({ ...anyWorkspace, text: 'ätna', suspended: true }, workspace, true), false)
  })
})

describe('search for users', () => {
  const finds = (text: string) => matchesUser({ ...anyUser, text }, user)

  it('finds a whole id or a part of the address, in any case', () => {
    assert.deepEqual(
      [finds('USR_1A'), finds('usr_1'), finds('ADA'), finds('.+x'), finds('a.a')],
      [true, false, true, true, false],
    )
  })

  it('requires each given state', () => {
    const states = [{ disabled: true }, { disabled: false }, { operator: true }, { operator: false }]
    const found = (one: typeof user) => states.map((state) => matchesUser({ ...anyUser, ...state }, one))
    assert.deepEqual(found(user), [false, true, false, true])
    assert.deepEqual(found({ ...user, isDisabled: true, isOperator: true }), [true, false, true, false])
  })
})
