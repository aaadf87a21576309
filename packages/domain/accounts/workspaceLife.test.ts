import assert from 'node:assert/strict'
import { deletion, deletionDelayMs, restoration, suspension } from './workspaceLife.ts'

const now = Date.UTC(2026, 0, 1)
const sending = { suspended: false, suspendedReason: '', deletesAt: null, resumesOnRestore: false }
const stopped = { ...sending, suspended: true, suspendedReason: 'abuse' }
const deleting = { ...sending, suspended: true, deletesAt: now + deletionDelayMs, resumesOnRestore: true }

describe('deletion of a workspace', () => {
  it('is scheduled after the delay and stops the mail until then', () => {
    const change = { deletesAt: now + deletionDelayMs, suspended: true, resumesOnRestore: true }
    assert.deepEqual(deletion(sending, now), { kind: 'change', change })
  })

  it('does not resume mail that the operator had stopped', () => {
    const change = { deletesAt: now + deletionDelayMs, suspended: true, resumesOnRestore: false }
    assert.deepEqual(deletion(stopped, now), { kind: 'change', change })
  })

  it('does not move when it is requested again', () => {
    assert.deepEqual(deletion(deleting, now + 1), { kind: 'unchanged' })
  })
})

describe('restoration of a workspace', () => {
  it('cancels the deletion and lets the mail leave again', () => {
    const change = { deletesAt: null, suspended: false, resumesOnRestore: false }
    assert.deepEqual(restoration(deleting, deleting.deletesAt - 1), { kind: 'change', change })
  })

  it('leaves mail stopped that the operator had stopped', () => {
    const change = { deletesAt: null, suspended: true, resumesOnRestore: false }
    assert.deepEqual(restoration({ ...deleting, resumesOnRestore: false }, now), { kind: 'change', change })
  })

  it('changes nothing if no deletion is scheduled', () => {
    assert.deepEqual(restoration(stopped, now), { kind: 'unchanged' })
  })

  it('is refused when the deletion is due', () => {
    assert.deepEqual(restoration(deleting, deleting.deletesAt), {
      kind: 'refused',
      message: 'The deletion of this workspace began at 2026-01-08T00:00:00.000Z and cannot be stopped.',
    })
  })
})

describe('suspension of a workspace', () => {
  const cases: [name: string, found: typeof sending, request: Parameters<typeof suspension>[1], change: object][] = [
    [
      'stops the mail with a reason',
      sending,
      { suspended: true, reason: 'x' },
      { suspended: true, suspendedReason: 'x' },
    ],
    [
      'removes the reason when the mail is resumed',
      stopped,
      { suspended: false },
      { suspended: false, suspendedReason: '' },
    ],
    ['changes the reason alone', stopped, { reason: 'y' }, { suspendedReason: 'y' }],
    ['changes nothing of stopped mail without a field', stopped, {}, {}],
  ]
  for (const [name, found, request, change] of cases)
    it(name, () => assert.deepEqual(suspension(found, request), { kind: 'change', change }))

  it('stays after a canceled deletion if it came later', () => {
    const later = { ...deleting, deletesAt: now }
    const change = { suspended: true, resumesOnRestore: false }
    assert.deepEqual(suspension(later, { suspended: true }), { kind: 'change', change })
  })

  it('cannot end while the deletion is scheduled', () => {
    assert.equal(suspension({ ...deleting, deletesAt: now }, { suspended: false }).kind, 'refused')
  })

  it('needs stopped mail for a reason', () => {
    const decided = suspension(sending, { reason: 'x' })
    assert.deepEqual(decided.kind === 'invalid' && decided.problems.map(({ path }) => path), ['reason'])
  })
})
