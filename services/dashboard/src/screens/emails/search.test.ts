import assert from 'node:assert/strict'
import { emailSearch, filtersOf } from './search.ts'

const now = Date.parse('2026-11-23T12:34:56.789Z')

describe('filters of the list of emails', () => {
  it('searches for a whole address among the recipients, for other texts in the subject', () => {
    assert.deepEqual(filtersOf({ q: 'ann@example.com' }, now), { to: 'ann@example.com' })
    assert.deepEqual(filtersOf({ q: 'order 1042' }, now), { subject: 'order 1042' })
    assert.deepEqual(filtersOf({ q: 'ann@' }, now), { subject: 'ann@' })
  })

  it('begins a span at a whole minute, so that the same list is not read again', () => {
    assert.deepEqual(filtersOf({ span: '1h' }, now), { created_after: '2026-11-23T11:34:00.000Z' })
  })

  it('leaves out what the URL has wrong', () => {
    assert.deepEqual(emailSearch({ status: 'bounced', span: '5y', category: 'x', tag: 'a:b', q: '', more: 1 }), {
      status: 'bounced',
      tag: 'a:b',
    })
  })
})
