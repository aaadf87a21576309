import assert from 'node:assert/strict'
import {
  actionMatch,
  actorMatch,
  actorOfEntry,
  auditedChange,
  auditState,
  byOperator,
  forWorkspace,
  typedActor,
} from './entry.ts'

describe('audit entry', () => {
  it('has the visible fields of an object, with the names of the API, and no bytes', () => {
    const key = { id: 'key_1', name: 'CI', hash: Uint8Array.of(1), expiresAt: 0, revokedAt: null, lastFour: 'abcd' }
    const shown = { id: false, name: true, hash: true, expiresAt: true, revokedAt: true, lastFour: false }
    assert.deepEqual(auditState({ ...key, ...{ passwordHash: 'of another version' } }, shown as never), {
      name: 'CI',
      expires_at: '1970-01-01T00:00:00.000Z',
      revoked_at: null,
    })
  })

  const view = ({ name, list }: { name: string; list?: string[]; secret?: string }) => ({ name, ...(list && { list }) })
  for (const [what, before, after, expected] of [
    ['nothing of equal objects', { name: 'a', list: ['x'] }, { name: 'a', list: ['x'] }, null],
    ['the changed fields', { name: 'a', list: ['x'] }, { name: 'a', list: ['y'] }, [{ list: ['x'] }, { list: ['y'] }]],
    ['a field that is new', { name: 'a' }, { name: 'b', list: [] }, [{ name: 'a' }, { name: 'b', list: [] }]],
    ['no field of a change that is secret', { name: 'a', secret: 'x' }, { name: 'a', secret: 'y' }, [{}, {}]],
  ] as const)
    it(`shows ${what}`, () => {
      const change = auditedChange<{ name: string; list?: string[]; secret?: string }>(
        { ...before } as never,
        { ...after } as never,
        view,
      )
      assert.deepEqual(change && [change.before, change.after], expected)
    })

  for (const [actor, type, id] of [
    ['usr_1', 'user', 'usr_1'],
    ['key_1', 'key', 'key_1'],
    ['operator', 'operator', null],
    ['system', 'system', null],
  ] as const)
    it(`has ${actor} as an actor of type ${type}`, () => assert.deepEqual(typedActor(actor), { type, id }))

  it('has the id of a user who acted as the operator, which members of a workspace do not see', () => {
    const shown = { id: 'aud_1', workspace: 'ws_1', at: 1, clientAddress: '', action: 'a.b', target: '' }
    const entry = { ...shown, ...byOperator('usr_1'), before: { note: 'a' }, after: { note: 'b', rate: 1 } }
    assert.deepEqual(actorOfEntry(entry), { type: 'operator', id: 'usr_1' })
    assert.deepEqual(forWorkspace(entry), { ...shown, actor: 'operator', before: {}, after: { rate: 1 } })
    assert.deepEqual(actorOfEntry(byOperator(undefined)), { type: 'operator', id: null })
    assert.deepEqual(actorOfEntry({ actor: 'key_1' }), { type: 'key', id: 'key_1' })
  })

  it('is found by an id or type of actor, and by an action or all actions of a noun', () => {
    assert.deepEqual(actorMatch('usr_1'), { is: 'usr_1' })
    assert.deepEqual(actorMatch('key'), { startsWith: 'key_' })
    assert.deepEqual(actorMatch('system'), { is: 'system' })
    assert.deepEqual(actionMatch('key.revoke'), { is: 'key.revoke' })
    assert.deepEqual(actionMatch('key.*'), { startsWith: 'key.' })
  })
})
