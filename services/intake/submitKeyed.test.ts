import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { dayMs } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, testIntake as open, request, withKey } from '../../test/support/testIntake.ts'
import { submit } from './submit.ts'

describe('a repeated Idempotency-Key', () => {
  const keyed = (over: Partial<SubmitRequest> = {}) => request({ ...withKey('order-1'), ...over })

  it('returns the first response, byte for byte, and accepts nothing more', async () => {
    await using system = await open()
    const first = await submit(system.deps)(keyed())
    system.time.at += 3_600_000
    const again = await submit(system.deps)(keyed())
    assert.deepEqual(again, { id: first.id, status: 202, bodyJson: first.bodyJson, replayed: true, quota: null })
  })

  const limited: [name: string, limits: Parameters<typeof caller>[0], expected: string][] = [
    ['other recipients', { recipients: ['staff.example'] }, 'validation_failed'],
    ['another domain', { domains: ['mine.example'] }, 'forbidden'],
    ['both', { recipients: ['staff.example'], domains: ['mine.example'] }, 'forbidden'],
  ]
  for (const [name, limits, expected] of limited)
    it(`gives no response to a key that is limited to ${name}, before and after the first request`, async () => {
      await using system = await open()
      const byLimited = () => submit(system.deps)(keyed({ caller: caller({ keyId: 'key_2', ...limits }) }))
      await assert.rejects(byLimited(), { code: expected })
      const first = await submit(system.deps)(keyed())
      await assert.rejects(byLimited(), { code: expected })
      assert.equal((await submit(system.deps)(keyed())).bodyJson, first.bodyJson)
      assert.equal((await system.all()).length, 1)
    })

  it('returns the first response to a limited key whose limits allow the request', async () => {
    await using system = await open()
    const first = await submit(system.deps)(keyed())
    const wide = caller({ keyId: 'key_2', recipients: ['example.com'] })
    assert.equal((await submit(system.deps)(keyed({ caller: wide }))).bodyJson, first.bodyJson)
  })

  for (const code of ['rate_limited', 'unavailable'] as const)
    it(`returns the first response while the queue is full (${code}), and is free if it was refused`, async () => {
      await using system = await open()
      const first = await submit(system.deps)(keyed())
      const full = { ...system.deps, queue: { enter: () => Promise.reject(new Fault(code, 'full')) } }
      assert.equal((await submit(full)(keyed())).bodyJson, first.bodyJson)
      await assert.rejects(submit(full)(keyed(withKey('order-1', 'another body'))), { code: 'idempotency_mismatch' })
      await assert.rejects(submit(full)(keyed(withKey('order-2'))), { code })
      assert.equal((await submit(system.deps)(keyed(withKey('order-2')))).replayed, false)
      assert.equal((await system.all()).length, 2)
    })

  it('does not count a repeated or refused request against the queue', async () => {
    await using system = await open()
    const left: boolean[] = []
    const queue = { enter: async () => (isAccepted: boolean) => void left.push(isAccepted) }
    await submit({ ...system.deps, queue })(keyed())
    await submit({ ...system.deps, queue })(keyed())
    const refused = keyed({ ...withKey('order-2'), mail: mail({ domainId: 'dom_1' }) })
    await assert.rejects(submit({ ...system.deps, queue })(refused), { code: 'validation_failed' })
    assert.deepEqual(left, [true, false])
    assert.equal(await system.used(), 2)
  })

  it('returns no response before the first one is on disk', async () => {
    await using system = await open()
    await submit(system.deps)(keyed())
    const failing = {
      ...system.deps,
      durable: { synced: () => Promise.reject(new Fault('unavailable', 'disk full')) },
    }
    await assert.rejects(submit(failing)(keyed()), { code: 'unavailable' })
  })

  it('returns the first response after the send time has passed', async () => {
    await using system = await open()
    const soon = keyed({ mail: mail({ sendAt: { at: noon + 60_000 } }) })
    const first = await submit(system.deps)(soon)
    system.time.at += 3_600_000
    assert.equal((await submit(system.deps)(soon)).id, first.id)
  })

  it('is refused with another body', async () => {
    await using system = await open()
    await submit(system.deps)(keyed())
    const other = keyed(withKey('order-1', 'other body'))
    await assert.rejects(submit(system.deps)(other), { code: 'idempotency_mismatch' })
  })

  it('is another key in another workspace or mode', async () => {
    await using system = await open()
    const ids = await Promise.all(
      [caller(), caller({ mode: 'test' }), caller({ workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' })].map(
        async (who) => (await submit(system.deps)(keyed({ caller: who }))).id,
      ),
    )
    assert.equal(new Set(ids).size, 3)
  })

  it('is free again 24 hours after the request or the scheduled time', async () => {
    await using system = await open()
    const later = keyed({ mail: mail({ sendAt: { at: noon + dayMs } }) })
    const first = await submit(system.deps)(later)
    system.time.at = noon + 2 * dayMs - 1
    await system.idempotency.sweep(system.time.at, 100)
    assert.equal((await submit(system.deps)(later)).id, first.id)
    system.time.at = noon + 2 * dayMs + 1
    await system.idempotency.sweep(system.time.at, 100)
    await assert.rejects(submit(system.deps)(later), { code: 'validation_failed' })
  })
})
