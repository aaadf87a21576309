import assert from 'node:assert/strict'
import type { Due } from '@postrider/domain/email/due.ts'
import type { Doorbell } from './doorbell.ts'

export type DoorbellExam = {
  doorbell: Doorbell
  /** Waits until whoever listens by now would hear a ring. */
  listening(): Promise<void>
  /** Waits until whatever was rung has been heard by those who listen. */
  delivered(): Promise<void>
}

const due = (id: string): Due => ({ id, workspace: 'ws_1' })

/** The exam of a doorbell. Rings may be heard in any order. */
export const doorbellConformance = (adapter: string, open: () => Promise<DoorbellExam> | DoorbellExam) =>
  describe(`the doorbell in ${adapter}`, () => {
    it('whoever listens to a lane hears its rings, and no other’s', async () => {
      const { doorbell, listening, delivered } = await open()
      const heard: string[] = []
      doorbell.listen('transactional', (rung) => heard.push(...rung.map(({ id }) => id)))
      await listening()
      doorbell.ring('marketing', [due('em_1')])
      doorbell.ring('transactional', [due('em_2'), due('em_3')])
      await delivered()
      assert.deepEqual(heard.sort(), ['em_2', 'em_3'])
    })

    it('an email is heard with its workspace and its trace', async () => {
      const { doorbell, listening, delivered } = await open()
      const heard: Due[] = []
      doorbell.listen('marketing', (rung) => heard.push(...rung))
      await listening()
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      doorbell.ring('marketing', [{ ...due('em_1'), traceparent }])
      await delivered()
      assert.deepEqual(heard, [{ ...due('em_1'), traceparent }])
    })

    it('a ring without an id is heard', async () => {
      const { doorbell, listening, delivered } = await open()
      let rings = 0
      doorbell.listen('marketing', () => {
        rings += 1
      })
      await listening()
      doorbell.ring('marketing', [])
      await delivered()
      assert.equal(rings, 1)
    })

    it('who stops listening hears no more, and ringing for nobody is fine', async () => {
      const { doorbell, listening, delivered } = await open()
      const heard: string[] = []
      const stop = doorbell.listen('transactional', (rung) => heard.push(...rung.map(({ id }) => id)))
      await listening()
      stop()
      doorbell.ring('transactional', [due('em_1')])
      await delivered()
      assert.deepEqual(heard, [])
    })
  })
