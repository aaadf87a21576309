import assert from 'node:assert/strict'
import type { Queues } from '../../api/operator.ts'
import { parkedText, sampleText } from './queuesTexts.ts'

const lane = (name: 'transactional' | 'marketing', waiting: number): Queues['lanes'][number] => ({
  lane: name,
  due: 0,
  oldest_due_at: null,
  waiting,
  scheduled: 0,
  test: 0,
  bytes: 0,
})

const destination = (number: number): Queues['destinations'][number] => ({
  domain: `d${number}.example`,
  recipients: 1,
  due: 1,
  deferred: 0,
  next_at: '2026-11-23T12:00:00.000Z',
})

const textOf = (transactional: number, marketing: number, emails: number, domains = 1): string =>
  sampleText({
    lanes: [lane('transactional', transactional), lane('marketing', marketing)],
    destinations: Array.from({ length: domains }, (_, number) => destination(number)),
    sample: { emails, limit: 200 },
  })

describe('the size of the sample', () => {
  it('is all mail while each lane is below the limit', () =>
    assert.equal(textOf(199, 0, 199), 'All waiting mail is counted.'))

  it('is stated with the lanes that are counted completely', () =>
    assert.equal(
      textOf(12, 12_300, 212),
      'A sample of 212 of 12,312 waiting emails: of each lane the 200 that are due first. Transactional is counted completely.',
    ))

  it('is stated where no lane is counted completely', () =>
    assert.equal(
      textOf(200, 5_000, 400),
      'A sample of 400 of 5,200 waiting emails: of each lane the 200 that are due first.',
    ))

  it('is stated with the limit of the list', () =>
    assert.equal(textOf(150, 0, 150, 100), 'All waiting mail is counted. Shown are the 100 with most recipients.'))
})

describe('the number of parked emails', () => {
  const cases: [number, string][] = [
    [0, 'No email is parked.'],
    [1, '1 email is parked, and waits for your decision.'],
    [1_200, '1,200 emails are parked, and wait for your decision.'],
    [10_000, '10,000 emails or more are parked, and wait for your decision.'],
  ]
  for (const [parked, text] of cases) it(`${parked}: ${text}`, () => assert.equal(parkedText(parked), text))
})
