import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import type { Mongo } from './connect.ts'
import { waitForMongo } from './openMongo.ts'

describe('connection of a process to MongoDB', () => {
  const warningsWith = async (unpatched: string | null) => {
    const warnings: unknown[] = []
    let tries = 0
    const connect = async (): Promise<Mongo> => {
      tries += 1
      if (tries < 3) throw new Fault('unavailable', 'no server responds')
      return { unpatched } as Mongo
    }
    const log = { info: () => {}, warn: (...line: unknown[]) => void warnings.push(line) }
    const wait = { log, stopping: new AbortController().signal, pause: async () => {} }
    await waitForMongo({ url: 'mongodb://127.0.0.1', name: 'test' }, wait, connect)
    return warnings.filter((line) => String(JSON.stringify(line)).includes('unpatched'))
  }

  // The prepare program ignored the reason and ran unpatched without a message.
  it('logs one warning where the driver runs unpatched, even after several tries', async () => {
    const fields = { library: 'mongodb', reason: 'there is no class Connection' }
    assert.deepEqual(await warningsWith('there is no class Connection'), [
      [fields, 'patch does not fit this version, running unpatched'],
    ])
  })

  it('logs no such warning where the driver is patched', async () => {
    assert.deepEqual(await warningsWith(null), [])
  })
})
