import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { makeLog } from '@postrider/kit/log.ts'
import { kafkaClients } from './client.ts'
import { quietIdleTimers } from './idleTimers.ts'

type Prototype = { scheduleCheckPendingRequests(): void }

/** A class like kafkajs' RequestQueue. */
const fakeQueueClass = () =>
  class {
    pending: unknown[] = []
    throttledUntil = -1
    throttleCheckTimeoutId: NodeJS.Timeout | null = null
    checkPendingRequests(): void {}
    scheduleCheckPendingRequests(): void {}
  }

const patch = (load: () => unknown) => {
  const warnings: object[] = []
  const applied = quietIdleTimers({ warn: (fields: object) => void warnings.push(fields) } as never, load)
  return { applied, warnings }
}

const aQueue = (pending: unknown[], throttledForMs = -1) => ({
  pending,
  throttledUntil: Date.now() + throttledForMs,
  throttleCheckTimeoutId: null as NodeJS.Timeout | null,
  checks: 0,
  checkPendingRequests() {
    this.checks += 1
  },
})

describe('patch of kafkajs idle timers', () => {
  const queueClass = fakeQueueClass()
  patch(() => queueClass)
  const schedule = (queue: ReturnType<typeof aQueue>): void =>
    (queueClass.prototype as Prototype).scheduleCheckPendingRequests.call(queue as never)

  it('schedules nothing when no request waits', () => {
    const queue = aQueue([])
    schedule(queue)
    assert.equal(queue.throttleCheckTimeoutId, null)
  })

  it('schedules one check for a waiting request', async () => {
    const queue = aQueue(['request'])
    schedule(queue)
    const timer = queue.throttleCheckTimeoutId
    schedule(queue)
    assert.equal(queue.throttleCheckTimeoutId, timer)
    await new Promise<void>((resolve) => {
      queue.checkPendingRequests = () => resolve()
    })
    assert.equal(queue.throttleCheckTimeoutId, null)
  })

  it('fits the installed version', () => {
    const warnings: unknown[] = []
    assert.equal(quietIdleTimers({ warn: (...line: unknown[]) => void warnings.push(line) } as never), true)
    assert.deepEqual(warnings, [])
  })

  const address = { brokers: ['127.0.0.1:1'], name: 'test', log: makeLog('test', 'silent') }

  // A client that was created without the doorbell caused warnings of Node about negative timeouts.
  it('applies to every client that the adapter makes', () => {
    const queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
      prototype: Prototype
    }
    const unpatched = () => {}
    queue.prototype.scheduleCheckPendingRequests = unpatched
    kafkaClients(address)()
    assert.notEqual(queue.prototype.scheduleCheckPendingRequests, unpatched)
  })

  it('was checked against the installed version', () => {
    const { version } = createRequire(import.meta.url)('kafkajs/package.json') as { version: string }
    const recheck =
      'kafkajs changed. Compare src/network/requestQueue/index.js with idleTimers.ts (is the patch still needed, does it ' +
      'still fit?), run test/contract/kafkaDoorbell.test.ts ("sleeps while idle"), then update this version.'
    assert.equal(version, '2.2.4', recheck)
  })

  const misfits: [name: string, load: () => unknown, reason: string][] = [
    [
      'the file is missing',
      () => {
        throw new Error('Cannot find module')
      },
      'cannot create a RequestQueue: Error: Cannot find module',
    ],
    [
      'the file exports no class',
      () => ({}),
      'cannot create a RequestQueue: TypeError: queueClass is not a constructor',
    ],
    [
      'a field is missing',
      () =>
        class {
          pending = []
          checkPendingRequests(): void {}
          scheduleCheckPendingRequests(): void {}
        },
      'the class RequestQueue has other members',
    ],
    [
      'a method is missing',
      () => {
        const other = fakeQueueClass()
        Reflect.deleteProperty(other.prototype, 'scheduleCheckPendingRequests')
        return other
      },
      'the class RequestQueue has other members',
    ],
  ]
  for (const [name, load, reason] of misfits) {
    it(`is skipped with one warning when ${name}`, () => {
      assert.deepEqual(patch(load), { applied: false, warnings: [{ library: 'kafkajs', reason }] })
    })
  }

  // A doorbell makes a client for each listener, and each logged the warning again.
  it('logs one warning for several clients', () => {
    const warnings: unknown[] = []
    const log = { warn: (...line: unknown[]) => void warnings.push(line) } as never
    const newClient = kafkaClients(address, () => quietIdleTimers(log, () => ({})))
    for (const _ of [1, 2, 3]) newClient()
    assert.equal(warnings.length, 1)
  })

  it('leaves a class that does not fit unchanged', () => {
    const own = (): void => {}
    class Other {
      pending = 'not a list'
      throttledUntil = -1
      throttleCheckTimeoutId = null
      checkPendingRequests(): void {}
    }
    Object.assign(Other.prototype, { scheduleCheckPendingRequests: own })
    assert.equal(patch(() => Other).applied, false)
    assert.equal((Other.prototype as unknown as Prototype).scheduleCheckPendingRequests, own)
  })
})
