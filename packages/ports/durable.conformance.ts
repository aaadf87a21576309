import assert from 'node:assert/strict'
import type { Durable, Units } from './durable.ts'

/** A store with a barrier. `write` keeps one text; `kept` tells which are on disk, asked as another process would. */
export type DurableStore = {
  durable: Durable & Units
  write(text: string): Promise<void>
  kept(): Promise<string[]>
  /** Makes every commit fail for want of room until it is called with false. */
  full(isFull: boolean): Promise<void>
}

const unavailable = { code: 'unavailable', retryAfterMs: 1_000 }

/** More than any store has room left for once it is full. */
const large = 'x'.repeat(1_000_000)

/** The exam of a durable store: nothing leaves before it is kept, and nothing is built on what is gone. */
export const durableConformance = (adapter: string, open: () => Promise<DurableStore>) =>
  describe(`durability in ${adapter}`, () => {
    it('what is settled is on disk', async () => {
      const { durable, write, kept } = await open()
      await Promise.all(['a', 'b', 'c'].map(write))
      await durable.settled()
      assert.deepEqual(await kept(), ['a', 'b', 'c'])
    })

    it('settling with nothing written resolves', async () => {
      const { durable } = await open()
      await durable.settled()
    })

    it('a full disk refuses with unavailable, keeps none of it, and works again with room', async () => {
      const { durable, write, kept, full } = await open()
      await write('before')
      await durable.settled()
      await full(true)
      await assert.rejects(
        write(large).then(() => durable.settled()),
        unavailable,
      )
      assert.deepEqual(await kept(), ['before'])
      await full(false)
      await write('after')
      await durable.settled()
      assert.deepEqual(await kept(), ['before', 'after'])
    })

    it('work that began before a loss builds nothing on what is gone', async () => {
      const { durable, write, kept, full } = await open()
      await full(true)
      const lost = Promise.withResolvers<void>()
      const work = durable.unit(async () => {
        await write(large).catch(() => {})
        await lost.promise
        await write('second half')
        await durable.settled()
      })
      await assert.rejects(async () => {
        await write(large)
        await durable.settled()
      }, unavailable)
      await full(false)
      lost.resolve()
      await assert.rejects(work, unavailable)
      await durable.unit(async () => {
        await write('fresh')
        await durable.settled()
      })
      assert.deepEqual(await kept(), ['fresh'])
    })

    it('what a piece of work set going is its own once the work has ended', async () => {
      const { durable, write, kept, full } = await open()
      const ended = Promise.withResolvers<void>()
      const { going } = await durable.unit(async () => ({
        going: ended.promise.then(async () => {
          await write('later')
          await durable.settled()
        }),
      }))
      await full(true)
      await assert.rejects(async () => {
        await write(large)
        await durable.settled()
      }, unavailable)
      await full(false)
      ended.resolve()
      await going
      assert.deepEqual(await kept(), ['later'])
    })
  })
