import assert from 'node:assert/strict'
import type { Durable, Units } from './durable.ts'

/** A store with a barrier. `write` stores one text; `kept` returns those on disk, read as another process would. */
export type DurableStore = {
  durable: Durable & Units
  write(text: string): Promise<void>
  kept(): Promise<string[]>
  /** Makes every commit fail as on a full disk until it is called with false. */
  full(isFull: boolean): Promise<void>
}

const unavailable = { code: 'unavailable', retryAfterMs: 1_000 }

/** More than a full store has room for. */
const large = 'x'.repeat(1_000_000)

/** Declares the tests that every durable store must pass. */
export const durableConformance = (adapter: string, open: () => Promise<DurableStore>) =>
  describe(`durability of ${adapter}`, () => {
    it('has everything on disk after settled', async () => {
      const { durable, write, kept } = await open()
      await Promise.all(['a', 'b', 'c'].map(write))
      await durable.settled()
      assert.deepEqual(await kept(), ['a', 'b', 'c'])
    })

    it('resolves settled when nothing was written', async () => {
      const { durable } = await open()
      await durable.settled()
    })

    it('fails with unavailable on a full disk, stores nothing, and works again when there is room', async () => {
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

    it('refuses further writes of a unit that began before a failed commit', async () => {
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

    it('accepts writes that a unit started once the unit has ended', async () => {
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
