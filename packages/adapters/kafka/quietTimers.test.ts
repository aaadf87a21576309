import assert from 'node:assert/strict'
import { quietTimers } from './quietTimers.ts'

const load = (version: string) => {
  const queue = class {}
  quietTimers((path) => (path.endsWith('package.json') ? { version } : queue))
  return queue.prototype as { scheduleCheckPendingRequests(): void }
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

describe('the quieted timers of the Kafka client', () => {
  const { scheduleCheckPendingRequests } = load('2.2.4')
  const schedule = (queue: ReturnType<typeof aQueue>): void => scheduleCheckPendingRequests.call(queue as never)

  it('nothing is scheduled where no request waits', () => {
    const queue = aQueue([])
    schedule(queue)
    assert.equal(queue.throttleCheckTimeoutId, null)
  })

  it('a request that waits is looked at once', async () => {
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

  it('another version of the client is refused in plain words', () => {
    assert.throws(() => load('2.2.5'), /kafkajs is 2\.2\.5.*quieted for 2\.2\.4 alone/)
  })
})
