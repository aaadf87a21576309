import assert from 'node:assert/strict'
import type { Idempotency, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, testIntake, withKey } from '../../test/support/testIntake.ts'
import { stageBatch, submitBatch } from './submitBatch.ts'

type System = Awaited<ReturnType<typeof testIntake>>

/** Messages of a batch: they are moved to the queue in two steps. */
const count = 30

const mails = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ number: from + index, mail: mail() }))

/**
 * Makes the commits of a database fail from one on, as on a full disk.
 * @returns how many succeeded, and the end of it
 */
const failFrom = ({ db }: System, first: number) => {
  let [commits, hasSpace] = [0, false]
  db.beforeCommit(() => {
    if (commits >= first && !hasSpace) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
    commits += 1
  })
  return {
    commits: () => commits,
    end: (): void => {
      hasSpace = true
    },
  }
}

type Case = { staged: number; idempotency: Idempotency | null }

/** Sends a batch as a request of the gateway does, which is one unit. */
const send = (system: System, { staged: stagedCount, idempotency }: Case): Promise<number> =>
  system.db.unit(async () => {
    try {
      const part = { caller: caller(), staged: null, mails: mails(0, stagedCount), requestId: 'req_1' }
      const { staged } = stagedCount > 0 ? await stageBatch(system.deps)(part) : { staged: null }
      const batch: SubmitBatchRequest = {
        caller: caller(),
        staged,
        mails: mails(stagedCount, count),
        refusals: [],
        count,
        isPermissive: false,
        idempotency,
        operation: 'POST /api/v1/emails/batch',
        requestId: 'req_1',
      }
      const { status, bodyJson } = await submitBatch(system.deps)(batch)
      const { data } = JSON.parse(bodyJson) as { data: { id: string }[] }
      assert.equal(new Set(data.map(({ id }) => id)).size, count, 'the response has all emails')
      return status
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === 'unavailable') return 503
      throw thrown
    }
  }, true)

describe('batches on a full disk', () => {
  // A request without a key got 503 while its accepted batch was moved to the queue, which the sweep then sent: the
  // client sent it again.
  for (const staged of [0, count - 10, count])
    it(`get the acceptance if they are sent and 503 if not, with ${staged} of ${count} messages staged`, async () => {
      const statuses: number[] = []
      for (let first = 0, isOver = false; !isOver; first++) {
        await using system = await testIntake()
        const disk = failFrom(system, first)
        const status = await send(system, { staged, idempotency: null })
        isOver = disk.commits() < first
        disk.end()
        system.time.at += 120_000
        await system.sweep()
        await system.sweep()
        const { length } = await system.all()
        assert.equal(length, status === 202 ? count : 0, `${status} if commit ${first} fails`)
        assert.equal(await system.used(), status === 202 ? 2 * count : 0)
        statuses.push(status)
      }
      assert.equal(statuses[0], 503)
      assert.deepEqual(statuses, statuses.toSorted().reverse(), 'from the acceptance on each failure gets 202')
      assert.ok(statuses.filter((status) => status === 202).length > (staged === 0 ? 0 : 1), String(statuses))
    })

  it('get the acceptance when they are repeated with their key, and are sent once', async () => {
    for (let first = 0, isOver = false; !isOver; first++) {
      await using system = await testIntake()
      const disk = failFrom(system, first)
      const keyed = { staged: count, ...withKey('k') }
      const status = await send(system, keyed)
      isOver = disk.commits() < first
      disk.end()
      system.time.at += 120_000
      assert.equal(await send(system, keyed), 202, `repeated after ${status} if commit ${first} fails`)
      await system.sweep()
      assert.equal((await system.all()).length, count)
      assert.equal(await system.used(), 2 * count)
    }
  })
})
