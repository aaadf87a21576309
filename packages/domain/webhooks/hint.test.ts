import assert from 'node:assert/strict'
import { givesHint } from './life.ts'

describe('givesHint', () => {
  const workspaces = new Set(['ws_1'])

  it('is true for each write that may add an event to send, if the workspace has an endpoint', () => {
    for (const write of ['insert', 'batch', 'outcome', 'change'] as const) {
      assert.equal(givesHint(write, 'ws_1', workspaces), true, write)
      assert.equal(givesHint(write, 'ws_2', workspaces), false, write)
    }
  })

  it('is false for an attempt that runs', () => {
    assert.equal(givesHint('attempt', 'ws_1', workspaces), false)
  })
})
