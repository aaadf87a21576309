import assert from 'node:assert/strict'
import { auditActions } from '@postrider/domain/audit/actions.ts'
import type { AuditEntry } from '../../api/auditLog.ts'
import { auditCsv } from './auditCsv.ts'
import { auditSearch, timesOf } from './auditSearch.ts'
import { actionGroups, actionText, actorText, changesOf, subjectText } from './auditTexts.ts'

const entry: AuditEntry = {
  object: 'audit_entry',
  id: 'aud_1',
  created_at: '2026-11-23T10:00:00.000Z',
  actor: { type: 'user', id: 'usr_1', email: 'ada@x.example', name: null },
  action: 'key.update',
  target: 'key_1',
  before: null,
  after: null,
  client_address: null,
}
const changing = (before: object | null, after: object | null): AuditEntry => ({
  ...entry,
  before: before as AuditEntry['before'],
  after: after as AuditEntry['after'],
})

describe('entries of the audit log', () => {
  it('have words and a filter for every action of the service, and for no other', () => {
    const offered = actionGroups.flatMap(({ choices }) => choices.map(({ value }) => value))
    const single = offered.filter((value) => !value.endsWith('.*'))
    assert.deepEqual(single.toSorted(), auditActions.toSorted())
    assert.deepEqual(
      single.filter((action) => actionText(action) === action),
      [],
    )
  })

  it('name the actor', () => {
    assert.equal(actorText(entry.actor), 'ada@x.example')
    assert.equal(actorText({ type: 'key', id: 'key_1', email: null, name: 'shop' }), 'shop')
    assert.equal(actorText({ type: 'operator', id: null, email: null, name: null }), 'Operator')
    assert.equal(
      actorText({ type: 'operator', id: 'usr_1', email: 'ada@x.example', name: null }),
      'Operator ada@x.example',
    )
    assert.equal(actorText({ type: 'user', id: null, email: null, name: null }), 'A former user')
  })

  it('list changed fields with both values', () => {
    const changed = changing({ role: 'member', scopes: ['a'] }, { role: 'admin', networks: null })
    assert.deepEqual(changesOf(changed), [
      { field: 'role', before: 'member', after: 'admin' },
      { field: 'scopes', before: '["a"]', after: null },
      { field: 'networks', before: null, after: null },
    ])
    assert.equal(subjectText(changed), 'role: member → admin')
    assert.equal(subjectText(changing(null, { scopes: [], name: 'shop' })), 'shop')
    assert.equal(subjectText(entry), '')
  })

  it('are written as CSV whose cells no program calculates', () => {
    const [, row] = auditCsv([changing(null, { name: 'a "b", c' }), entry]).split('\r\n')
    assert.equal(
      row,
      '2026-11-23T10:00:00.000Z,user,usr_1,ada@x.example,key.update,key_1,,"{""name"":""a \\""b\\"", c""}",',
    )
    const formula = { ...entry, actor: { type: 'key' as const, id: 'key_1', email: null, name: '=1+1' } }
    assert.match(auditCsv([formula]), /,'=1\+1,/)
  })
})

describe('filters of the audit log', () => {
  it('are read from the URL, without what the API would refuse', () => {
    const search = { actor: 'usr_1', action: 'key.*', from: '2026-11-01', to: '2026-11-02' }
    assert.deepEqual(auditSearch(search), search)
    assert.deepEqual(auditSearch({ actor: 'Ada!', action: 'key', from: '2026-13-40', to: 'today' }), {})
  })

  it('a filter by days includes the first and the last day', () => {
    const { created_after = '', created_before = '' } = timesOf({ from: '2026-11-01', to: '2026-11-01' })
    assert.equal(Date.parse(created_before) - Date.parse(created_after), 86_400_000)
    assert.deepEqual(timesOf({}), {})
  })
})
