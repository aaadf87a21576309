import assert from 'node:assert/strict'
import type { Durable, Units } from './durable.ts'

/** A durable store. `write` stores a text; `onDisk` returns the stored texts as another process reads them. */
export type DurableStore = {
  durable: Durable & Units
  write(text: string): Promise<void>
  onDisk(): Promise<string[]>
  /** Makes every commit fail as on a full disk, until called with false. */
  full(isFull: boolean): Promise<void>
}

const unavailable = { code: 'unavailable', retryAfterMs: 1_000 }

/** Text that is too long for a full store. */
const large = 'x'.repeat(1_000_000)

/** Declares the tests that every durable store must pass. */
export const durableConformance = (adapter: string, open: () => Promise<DurableStore>) =>
  describe(`durability in ${adapter}`, () => {
    it('has all writes on disk once synced', async () => {
      const { durable, write, onDisk } = await open()
      await Promise.all(['a', 'b', 'c'].map(write))
      await durable.synced()
      assert.deepEqual(await onDisk(), ['a', 'b', 'c'])
    })

    it('resolves when nothing was written', async () => {
      const { durable } = await open()
      await durable.synced()
    })

    it('refuses a write on a full disk, stores none of it, and works again with free space', async () => {
      const { durable, write, onDisk, full } = await open()
      await write('before')
      await durable.synced()
      await full(true)
      await assert.rejects(
        write(large).then(() => durable.synced()),
        unavailable,
      )
      assert.deepEqual(await onDisk(), ['before'])
      await full(false)
      await write('after')
      await durable.synced()
      assert.deepEqual(await onDisk(), ['before', 'after'])
    })

    it('refuses the later writes of a unit that began before a failed commit', async () => {
      const { durable, write, onDisk, full } = await open()
      await full(true)
      const lost = Promise.withResolvers<void>()
      const work = durable.unit(async () => {
        await write(large).catch(() => {})
        await lost.promise
        await write('second half')
        await durable.synced()
      })
      await assert.rejects(async () => {
        await write(large)
        await durable.synced()
      }, unavailable)
      await full(false)
      lost.resolve()
      await assert.rejects(work, unavailable)
      await durable.unit(async () => {
        await write('fresh')
        await durable.synced()
      })
      assert.deepEqual(await onDisk(), ['fresh'])
    })

    it('lets a nested unit succeed if it began after the failed commit', async () => {
      const { durable, write, onDisk, full } = await open()
      await full(true)
      await durable.unit(async () => {
        await assert.rejects(async () => {
          await write(large)
          await durable.synced()
        }, unavailable)
        await full(false)
        await assert.rejects(
          durable.unit(() => durable.synced()),
          unavailable,
        )
        await durable.unit(() => durable.synced(), true)
      })
      assert.deepEqual(await onDisk(), [])
    })

    it('accepts writes of work that outlives its unit after a failed commit', async () => {
      const { durable, write, onDisk, full } = await open()
      const ended = Promise.withResolvers<void>()
      const { going } = await durable.unit(async () => ({
        going: ended.promise.then(async () => {
          await write('later')
          await durable.synced()
        }),
      }))
      await full(true)
      await assert.rejects(async () => {
        await write(large)
        await durable.synced()
      }, unavailable)
      await full(false)
      ended.resolve()
      await going
      assert.deepEqual(await onDisk(), ['later'])
    })
  })
