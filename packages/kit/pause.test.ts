import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { pause, pauseInBackground } from './pause.ts'

const hourMs = 3_600_000

describe('pause', () => {
  for (const [name, wait] of [
    ['pause', (signal: AbortSignal) => pause(hourMs, { signal })],
    ['pause in the background', (signal: AbortSignal) => pauseInBackground(hourMs, signal)],
  ] as const)
    it(`a ${name} ends without an error when its signal is aborted, before or during it`, async () => {
      const stopping = new AbortController()
      const during = wait(stopping.signal)
      stopping.abort()
      await Promise.all([during, wait(stopping.signal)])
    })

  it('removes its listener from a signal that lives longer', async () => {
    const stopping = new AbortController()
    await Promise.all([pause(1, { signal: stopping.signal }), pauseInBackground(1, stopping.signal)])
    assert.equal(getEventListeners(stopping.signal, 'abort').length, 0)
  })

  it('a pause without a signal ends by itself', async () => {
    assert.equal(await pause(1), undefined)
    assert.equal(await pauseInBackground(1).then(() => true), true)
  })
})
