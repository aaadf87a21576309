import assert from 'node:assert/strict'
import type { Due } from '@postrider/domain/email/due.ts'
import type { Doorbell, DoorbellListeners } from './doorbell.ts'

export type OpenDoorbell = {
  doorbell: Doorbell & DoorbellListeners
  /** Waits until every registered listener would receive a notification. */
  listening(): Promise<void>
  /** Waits until every notification has reached its listeners. */
  delivered(): Promise<void>
}

const due = (id: string): Due => ({ id, workspace: 'ws_1' })

/** Declares the tests that every doorbell must pass. Notifications may arrive in any order. */
export const doorbellConformance = (adapter: string, open: () => Promise<OpenDoorbell> | OpenDoorbell) =>
  describe(`doorbell in ${adapter}`, () => {
    it('notifies only listeners of the lane', async () => {
      const { doorbell, listening, delivered } = await open()
      const received: string[] = []
      doorbell.listen('transactional', (hints) => received.push(...hints.map(({ id }) => id)))
      await listening()
      doorbell.ring('marketing', [due('em_1')])
      doorbell.ring('transactional', [due('em_2'), due('em_3')])
      await delivered()
      assert.deepEqual(received.sort(), ['em_2', 'em_3'])
    })

    it('delivers the workspace and the trace of an email', async () => {
      const { doorbell, listening, delivered } = await open()
      const received: Due[] = []
      doorbell.listen('marketing', (hints) => received.push(...hints))
      await listening()
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      doorbell.ring('marketing', [{ ...due('em_1'), traceparent }])
      await delivered()
      assert.deepEqual(received, [{ ...due('em_1'), traceparent }])
    })

    it('delivers a notification without an id', async () => {
      const { doorbell, listening, delivered } = await open()
      let notifications = 0
      doorbell.listen('marketing', () => {
        notifications += 1
      })
      await listening()
      doorbell.ring('marketing', [])
      await delivered()
      assert.equal(notifications, 1)
    })

    it('delivers nothing after listening stopped, and accepts a notification without listeners', async () => {
      const { doorbell, listening, delivered } = await open()
      const received: string[] = []
      const stop = doorbell.listen('transactional', (hints) => received.push(...hints.map(({ id }) => id)))
      await listening()
      stop()
      doorbell.ring('transactional', [due('em_1')])
      await delivered()
      assert.deepEqual(received, [])
    })

    it('counts the listeners of each lane', async () => {
      const { doorbell, listening } = await open()
      assert.deepEqual(await doorbell.listeners(), { transactional: 0, marketing: 0 })
      const stop = doorbell.listen('transactional', () => {})
      await listening()
      // A consumer that was replaced while it joined counts until its session ends.
      while ((await doorbell.listeners()).transactional !== 1) await listening()
      assert.equal((await doorbell.listeners()).marketing, 0)
      stop()
      // A listener of another process needs a moment to leave.
      while ((await doorbell.listeners()).transactional > 0) await listening()
    })
  })
