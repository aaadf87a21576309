import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Fault } from '@postrider/kit/fault.ts'
import { suspendedWorkspaces } from './mayDeliver.ts'

const bench = (at = { ms: 0 }) => {
  const state = { ids: ['a'], reads: 0, resumed: 0, errors: 0, fault: null as Error | null }
  const workspaces = suspendedWorkspaces({
    suspensions: {
      suspended: async () => {
        state.reads += 1
        if (state.fault) throw state.fault
        return new Set(state.ids)
      },
    },
    now: () => at.ms,
    onResumed: () => {
      state.resumed += 1
    },
    onError: () => {
      state.errors += 1
    },
  })
  return { state, workspaces, at }
}

describe('suspended workspaces', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  const pass = async (at: { ms: number }, ms: number): Promise<void> => {
    at.ms += ms
    mock.timers.tick(ms)
    await nextIteration()
  }

  it('are read immediately and every 2 s', async () => {
    const { state, workspaces, at } = bench()
    assert.deepEqual([...(await workspaces.current())], ['a'])
    assert.equal(state.reads, 1)
    state.ids = ['a', 'b']
    await pass(at, 2_000)
    assert.ok(workspaces.has('b'))
    assert.equal(state.reads, 2)
    await workspaces[Symbol.asyncDispose]()
  })

  it('cause a check for due mail when a workspace is resumed, and none when a workspace is suspended', async () => {
    const { state, workspaces, at } = bench()
    await workspaces.current()
    state.ids = ['a', 'b']
    await pass(at, 2_000)
    assert.equal(state.resumed, 0)
    state.ids = ['b']
    await pass(at, 2_000)
    assert.equal(state.resumed, 1)
    await pass(at, 2_000)
    assert.equal(state.resumed, 1)
    await workspaces[Symbol.asyncDispose]()
  })

  it('are unknown while they cannot be read for longer than 4 s', async () => {
    const { state, workspaces, at } = bench()
    await workspaces.current()
    state.fault = new Fault('unavailable', 'The store does not respond.')
    await pass(at, 2_000)
    await pass(at, 2_000)
    assert.deepEqual([...(await workspaces.current())], ['a'])
    await pass(at, 2_000)
    await assert.rejects(async () => workspaces.current(), state.fault)
    state.fault = null
    assert.deepEqual([...(await workspaces.current())], ['a'])
    assert.ok(state.errors >= 2)
    await workspaces[Symbol.asyncDispose]()
  })
})
