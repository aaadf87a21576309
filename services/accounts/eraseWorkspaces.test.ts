import assert from 'node:assert/strict'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { RemovedWorkspace, WorkspaceErasure } from '@postrider/ports/workspaceErasure.ts'
import { openWorkspaceEraser } from './eraseWorkspaces.ts'

const start = Date.UTC(2026, 1, 1)
const [minuteMs, hourMs] = [60_000, 3_600_000]

/** One deleted workspace with some documents, in memory. */
const eraserOf = ({ documents, isBilled = false }: { documents: number; isBilled?: boolean }) => {
  const state = { now: start, documents, isBilled, exists: true }
  const removed = new Map<string, number>()
  const entries: AuditEntry[] = []
  const counted = { erased: 0 }
  const erasure: WorkspaceErasure = {
    step: async (workspace, limit) => {
      const count = Math.min(limit, state.documents)
      state.documents -= count
      if (count > 0 || !state.exists) return count
      state.exists = false
      removed.set(workspace, 0)
      return 1
    },
    removed: async (now) =>
      [...removed].filter(([, at]) => at <= now).map(([id, at]): RemovedWorkspace => ({ id, isNew: at === 0 })),
    scheduleRecheck: async (workspace, at) => void removed.set(workspace, at),
    forget: async (workspace) => !state.isBilled && removed.delete(workspace),
  }
  const eraser = openWorkspaceEraser({
    accounts: { workspacesToDelete: async () => (state.exists ? ['ws_1'] : []), workspace: async () => null },
    erasure,
    audit: { record: async (entry) => void entries.push(entry) },
    metrics: { workspacesErased: { inc: () => void counted.erased++ }, erasuresOverdue: { set: () => {} } },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    now: () => state.now,
  })
  return { eraser, state, removed, entries, counted }
}

describe('removal of deleted workspaces', () => {
  it('removes all documents, records one entry and repeats until nothing is left', async () => {
    const { eraser, state, removed, entries, counted } = eraserOf({ documents: 250 })
    await using _ = eraser
    await eraser.eraseDue()
    assert.deepEqual([state.documents, state.exists, counted.erased], [0, false, 1])
    assert.deepEqual(
      entries.map(({ id, action, target, workspace }) => [id, action, target, workspace]),
      [['aud_1', 'workspace.erase', 'ws_1', '']],
    )
    assert.deepEqual([...removed], [['ws_1', start + minuteMs]])
    // A request that had begun stored something.
    state.documents = 1
    state.now += minuteMs
    await eraser.eraseDue()
    assert.equal(state.documents, 0)
    state.now += minuteMs
    await eraser.eraseDue()
    assert.deepEqual([removed.size, entries.length, counted.erased], [0, 1, 1])
  })

  it('runs once at a time in a process', async () => {
    const { eraser, entries, counted } = eraserOf({ documents: 250 })
    await using _ = eraser
    await Promise.all([eraser.eraseDue(), eraser.eraseDue(), eraser.eraseDue()])
    assert.deepEqual([entries.length, counted.erased], [1, 1])
  })

  it('ends between two steps when the process stops, and records nothing', async () => {
    const { eraser, state, entries } = eraserOf({ documents: 100_000 })
    const running = eraser.eraseDue()
    await eraser[Symbol.asyncDispose]()
    await running
    assert.ok(state.documents > 0)
    assert.deepEqual(entries, [])
  })

  it('checks every hour whether the billing has ended', async () => {
    const { eraser, state, removed } = eraserOf({ documents: 1, isBilled: true })
    await using _ = eraser
    await eraser.eraseDue()
    state.now += minuteMs
    await eraser.eraseDue()
    assert.deepEqual([...removed], [['ws_1', state.now + hourMs]])
    state.isBilled = false
    state.documents = 3
    state.now += hourMs
    await eraser.eraseDue()
    assert.equal(state.documents, 0)
    state.now += minuteMs
    await eraser.eraseDue()
    assert.equal(removed.size, 0)
  })

  // Regression: a crash after the workspace was removed lost the entry of the operator.
  it('continues with a workspace that another process removed before it recorded the entry', async () => {
    const { eraser, state, removed, entries } = eraserOf({ documents: 0 })
    await using _ = eraser
    state.exists = false
    removed.set('ws_2', 0)
    await eraser.eraseDue()
    assert.deepEqual(
      entries.map(({ target }) => target),
      ['ws_2'],
    )
  })
})
