import assert from 'node:assert/strict'
import type { Doorbell, Due } from './doorbell.ts'

const due = (id: string): Due => ({ id, workspace: 'ws_1' })

/** The exam of a doorbell. `delivered` waits until whatever was rung has been heard. */
export const doorbellConformance = (adapter: string, open: () => { doorbell: Doorbell; delivered(): Promise<void> }) =>
  describe(`the doorbell in ${adapter}`, () => {
    it('whoever listens to a lane hears its rings, and no other’s', async () => {
      const { doorbell, delivered } = open()
      const heard: string[] = []
      doorbell.listen('transactional', (rung) => heard.push(...rung.map(({ id }) => id)))
      doorbell.ring('marketing', [due('em_1')])
      doorbell.ring('transactional', [due('em_2'), due('em_3')])
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
      const stop = doorbell.listen('transactional', (rung) => heard.push(...rung.map(({ id }) => id)))
      stop()
      doorbell.ring('transactional', [due('em_1')])
      await delivered()
      assert.deepEqual(heard, [])
    })
  })
