import assert from 'node:assert/strict'
import { partText } from './healthLabels.ts'

const part = (name: string, processes: number | null = null) => ({
  name,
  status: 'ok' as const,
  processes,
  detail: null,
})

describe('text of a part of the service', () => {
  it('has the number of processes where they are counted', () => {
    const parts = [part('process'), part('dispatcher', 3)]
    assert.equal(partText(part('dispatcher', 3), parts).text, 'Send mail to its receivers. 3 processes run.')
    assert.equal(partText(part('dispatcher', 1), parts).text, 'Send mail to its receivers. 1 process runs.')
    assert.equal(partText(part('intake'), parts).text, 'Accepts and stores mail.')
  })

  it('reports that the only process sends mail too', () => {
    const parts = [part('process'), part('database'), part('dispatcher', 1)]
    const expected = { label: 'Dispatcher', text: 'Sends mail to its receivers. Part of this process.' }
    assert.deepEqual(partText(part('dispatcher', 1), parts), expected)
  })

  it('names a part that is unknown to this release', () => {
    assert.deepEqual(partText(part('other'), []), { label: 'other', text: '' })
  })
})
