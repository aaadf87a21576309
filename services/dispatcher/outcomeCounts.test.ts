import assert from 'node:assert/strict'
import type { Email } from '@postrider/domain/email/email.ts'
import type { RecipientStatus } from '@postrider/domain/email/status.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { WorkspaceOutcomes } from '@postrider/ports/reputation.ts'
import { anAttempt, anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { outcomeCounter } from './outcomeCounts.ts'

const answered: RecipientResult = { kind: 'answered', reply: { code: 250, enhanced: null, text: 'queued' } }
const closed: RecipientResult = { kind: 'gate_closed' }
const hour = Date.UTC(2026, 10, 21, 12)
const log = { info: () => {}, warn: () => {}, error: () => {} }

const opened = (fails: () => boolean = () => false) => {
  let time = hour + 5
  const written: WorkspaceOutcomes[] = []
  const store = {
    addOutcomes: async (counts: readonly WorkspaceOutcomes[]) => {
      if (fails()) throw new Fault('unavailable', 'down')
      written.push(...counts)
    },
  }
  const counter = outcomeCounter({ store, now: () => time, log })
  const attempt = (statuses: RecipientStatus[], over: Partial<Email> = {}, result: RecipientResult = answered) => {
    const results = statuses.map(() => result)
    const recipients = statuses.map((status) => aRecipient({ status }))
    const attempts = [anAttempt({ recipients: statuses.map((_, number) => number) })]
    const email = anEmail({ workspace: 'ws_1', recipients, attempts, ...over })
    counter.count(email, { transmission: { host: 'mx:25', steps: [], results } })
  }
  const advance = (ms: number): void => {
    time += ms
  }
  return { counter, attempt, written, advance }
}

const counts = (delivered: number, bounced: number, over: Partial<WorkspaceOutcomes> = {}) => ({
  workspace: 'ws_1',
  hour,
  delivered,
  bounced,
  complained: 0,
  ...over,
})

describe('counts of outcomes', () => {
  it('count a recipient that complained as delivered too', async () => {
    const { counter, attempt, written } = opened()
    await using _ = counter
    attempt(['complained', 'delivered'])
    await counter.flush()
    assert.deepEqual(written, [counts(2, 0, { complained: 1 })])
  })

  it('are written once for each workspace and hour', async () => {
    const { counter, attempt, written, advance } = opened()
    await using _ = counter
    attempt(['delivered', 'bounced', 'deferred', 'delivered'])
    attempt(['delivered'])
    attempt(['bounced'], { workspace: 'ws_2' })
    advance(3_600_000)
    attempt(['delivered'])
    await counter.flush()
    assert.deepEqual(written, [
      counts(3, 1),
      counts(0, 1, { workspace: 'ws_2' }),
      counts(1, 0, { hour: hour + 3_600_000 }),
    ])
    await counter.flush()
    assert.equal(written.length, 3)
  })

  it('include neither test mail, nor system mail, nor recipients without a result', async () => {
    const { counter, attempt, written } = opened()
    await using _ = counter
    attempt(['delivered'], { mode: 'test' })
    attempt(['delivered'], { workspace: 'platform' })
    attempt(['delivered', 'bounced'], {}, closed)
    attempt(['deferred', 'unknown'])
    await counter.flush()
    assert.deepEqual(written, [])
  })

  it('are written later if the store is unavailable, and at the end', async () => {
    let isDown = true
    const { counter, attempt, written } = opened(() => isDown)
    attempt(['delivered'])
    await assert.rejects(counter.flush(), { code: 'unavailable' })
    attempt(['bounced'])
    isDown = false
    await counter[Symbol.asyncDispose]()
    assert.deepEqual(written, [counts(1, 1)])
  })
})
