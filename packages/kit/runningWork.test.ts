import assert from 'node:assert/strict'
import { runningWork } from './runningWork.ts'

describe('running work', () => {
  it('is counted until it ends, with or without success', async () => {
    const work = runningWork()
    const [one, other] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
    const tracked = [work.track(one.promise), work.track(other.promise)]
    assert.equal(work.size(), 2)
    one.resolve(1)
    assert.equal(await tracked[0], 1)
    assert.equal(work.size(), 1)
    other.reject(new Error('failed'))
    await assert.rejects(tracked[1] ?? assert.fail(), /failed/)
    assert.equal(work.size(), 0)
  })

  it('has ended when all that runs now has ended, and a failure does not reject', async () => {
    const work = runningWork()
    const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    work.track(one.promise)
    work.track(other.promise).catch(() => {})
    let isSettled = false
    const ended = work.ended().then(() => {
      isSettled = true
    })
    other.reject(new Error('failed'))
    await new Promise(setImmediate)
    assert.equal(isSettled, false)
    one.resolve()
    await ended
    assert.equal(work.size(), 0)
    await work.ended()
  })
})
