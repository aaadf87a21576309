import assert from 'node:assert/strict'
import type { Doorbell } from './doorbell.ts'

/** The exam of a doorbell. `delivered` waits until whatever was rung has been heard. */
export const doorbellConformance = (adapter: string, open: () => { doorbell: Doorbell; delivered(): Promise<void> }) =>
  describe(`the doorbell in ${adapter}`, () => {
    it('whoever listens to a lane hears its rings, and no other’s', async () => {
      const { doorbell, delivered } = open()
      const heard: string[] = []
      doorbell.listen('transactional', (ids) => heard.push(...ids))
      doorbell.ring('marketing', ['em_1'])
      doorbell.ring('transactional', ['em_2', 'em_3'])
      await delivered()
      assert.deepEqual(heard, ['em_2', 'em_3'])
    })

    it('a ring without an id is heard', async () => {
      const { doorbell, delivered } = open()
      let rings = 0
      doorbell.listen('marketing', () => {
        rings += 1
      })
      doorbell.ring('marketing', [])
      await delivered()
      assert.equal(rings, 1)
    })

    it('who stops listening hears no more, and ringing for nobody is fine', async () => {
      const { doorbell, delivered } = open()
      const heard: string[] = []
      const stop = doorbell.listen('transactional', (ids) => heard.push(...ids))
      stop()
      doorbell.ring('transactional', ['em_1'])
      await delivered()
      assert.deepEqual(heard, [])
    })
  })
