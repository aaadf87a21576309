import assert from 'node:assert/strict'
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

  it('a pause without a signal ends by itself', async () => {
    assert.equal(await pause(1), undefined)
    assert.equal(await pauseInBackground(1).then(() => true), true)
  })
})
