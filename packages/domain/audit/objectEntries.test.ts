import assert from 'node:assert/strict'
import { objectEntries } from './objectEntries.ts'

describe('audit entries about an object', () => {
  const entries = objectEntries<'template', { id: string; workspace: string; name: string }>({
    noun: 'template',
    view: ({ name }) => ({ name }),
    newId: () => 'aud_1',
  })
  const object = { id: 'tpl_1', workspace: 'ws_1', name: 'Welcome' }
  const by = { actor: 'usr_1', at: 7, clientAddress: '203.0.113.9' }
  const same = { id: 'aud_1', workspace: 'ws_1', target: 'tpl_1', ...by }

  it('show it after its creation and before its deletion', () => {
    const state = { name: 'Welcome' }
    assert.deepEqual(entries.created(object, by), { ...same, action: 'template.create', before: null, after: state })
    assert.deepEqual(entries.deleted(object, by), { ...same, action: 'template.delete', before: state, after: null })
  })

  it('show the fields of a change, or none', () => {
    const change = { before: { name: 'a' }, after: { name: 'b' } }
    assert.deepEqual(entries.of(object, by, 'update', change), { ...same, action: 'template.update', ...change })
    const nothing = { before: null, after: null }
    assert.deepEqual(entries.of(object, by, 'restore'), { ...same, action: 'template.restore', ...nothing })
  })
})
