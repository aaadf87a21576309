import assert from 'node:assert/strict'
import { newId } from '@postrider/kit/ids.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { EventHint } from '@postrider/ports/eventHints.ts'
import { openHintReader } from './hintReader.ts'
import { webhooksMetrics } from './metrics.ts'

const hintsOf = (workspace: string, count: number): EventHint[] =>
  Array.from({ length: count }, () => ({ workspace, id: newId('em') }))

/**
 * A reader whose reads of endpoints end when the test lets them. `read` has the workspaces of the hints in the order of
 * their reads.
 */
const pausedReader = () => {
  const read: string[] = []
  const paused = Promise.withResolvers<void>()
  let ring = (_hints: readonly EventHint[]): void => {}
  const metrics = makeMetrics(webhooksMetrics)
  const deps = {
    hints: {
      ring: () => {},
      listen: (onHints: typeof ring) => {
        ring = onHints
        return () => {}
      },
    },
    cache: {
      enabledOf: async (workspace: string) => {
        read.push(workspace)
        await paused.promise
        return []
      },
    },
    slices: makeSlices(),
    now: () => 0,
    elapsed: () => 0,
    metrics,
    log: {},
  }
  const reader = openHintReader(deps as never, { add: async () => {}, wake: () => {} } as never)
  const dropped = async () => (await metrics.webhookHintsDropped.get()).values[0]?.value
  return { read, ring: (hints: readonly EventHint[]) => ring(hints), release: paused.resolve, reader, dropped }
}

describe('hints about events', () => {
  // Regression: hints were read in order of arrival, and above 20,000 waiting hints new ones were dropped, of any
  // workspace.
  it('neither delay nor displace those of another workspace if one has many', async () => {
    const { read, ring, release, reader, dropped } = pausedReader()
    ring(hintsOf('ws_many', 20_100))
    ring(hintsOf('ws_many', 100))
    ring(hintsOf('ws_few', 3))
    release()
    await reader.ended()
    assert.equal(read.filter((workspace) => workspace === 'ws_few').length, 3)
    assert.ok(read.lastIndexOf('ws_few') < 50, 'they take turns')
    assert.equal(read.length, 20_032)
    assert.equal(await dropped(), 171)
    await reader[Symbol.asyncDispose]()
  })

  it('are read once for a record that waits already', async () => {
    const { read, ring, release, reader } = pausedReader()
    ring(hintsOf('ws_many', 32))
    const [again] = hintsOf('ws_few', 1)
    for (let times = 0; times < 3; times++) if (again) ring([again])
    release()
    await reader.ended()
    assert.equal(read.length, 33)
    await reader[Symbol.asyncDispose]()
  })
})
