import assert from 'node:assert/strict'
import { countedResults, hasOutcome, withoutSharedRefusals } from './countedResults.ts'
import type { RecipientResult } from './transmission.ts'

type Answered = Extract<RecipientResult, { kind: 'answered' }>

const answered = (code: number, enhanced: string, text: string): Answered => ({
  kind: 'answered',
  reply: { code, enhanced, text },
})
const delivered = answered(250, '2.0.0', 'queued as 1')
const noSuchUser = answered(550, '5.1.1', 'no such user')
const lostBefore: RecipientResult = { kind: 'lost_before_dot', reason: 'connection closed' }
const lostAfter: RecipientResult = { kind: 'lost_after_dot', reason: 'connection closed' }
const next: RecipientResult = { kind: 'next_transaction' }

describe('outcome of a recipient', () => {
  const cases: [result: RecipientResult | undefined, isOutcome: boolean][] = [
    [delivered, true],
    [noSuchUser, true],
    [lostBefore, true],
    [lostAfter, true],
    [next, false],
    [{ ...noSuchUser, kind: 'alone', phase: 'dot' }, false],
    [{ kind: 'gate_closed' }, false],
    [undefined, false],
  ]
  for (const [result, isOutcome] of cases)
    it(`${isOutcome ? 'counts' : 'does not count'} after ${result?.kind ?? 'no result'} ${JSON.stringify(result)}`, () =>
      assert.equal(hasOutcome(result), isOutcome))
})

describe('refusal that recipients share', () => {
  const at = (phase: 'data' | 'dot', result: Answered): Answered => ({ ...result, phase })
  const kindsOf = (results: readonly RecipientResult[]): string[] =>
    withoutSharedRefusals(
      results,
      results.map((_, number) => `r${number}@example.com`),
    ).map(({ kind }) => kind)
  const noUser = at('dot', noSuchUser)

  it('lets the recipients be tried alone if it is about one of them', () => {
    assert.deepEqual(kindsOf([noUser, noUser, noUser]), ['alone', 'alone', 'alone'])
    assert.deepEqual(kindsOf([at('data', noSuchUser), at('data', noSuchUser)]), ['alone', 'alone'])
    const full = at('dot', answered(452, '4.2.2', 'mailbox full'))
    assert.deepEqual(kindsOf([full, noSuchUser, full]), ['alone', 'answered', 'alone'])
    const named = at('dot', answered(554, '5.7.1', 'spam for <R1@example.com>'))
    assert.deepEqual(kindsOf([named, named]), ['alone', 'alone'])
  })

  it('applies as it is if it is about the message, our host or a single recipient', () => {
    const spam = at('dot', answered(554, '5.7.1', 'spam message rejected'))
    assert.deepEqual(kindsOf([spam, spam]), ['answered', 'answered'])
    assert.deepEqual(kindsOf([noUser]), ['answered'])
    assert.deepEqual(kindsOf([noUser, noSuchUser]), ['answered', 'answered'])
    assert.deepEqual(kindsOf([noSuchUser, noSuchUser]), ['answered', 'answered'])
    assert.deepEqual(kindsOf([at('dot', delivered), at('dot', delivered)]), ['answered', 'answered'])
  })
})

describe('results as they count for the retry schedule', () => {
  const table: [name: string, results: RecipientResult[], isStopping: boolean, kinds: RecipientResult['kind'][]][] = [
    [
      'do not change replies and losses while the process runs',
      [delivered, lostBefore, lostAfter],
      false,
      ['answered', 'lost_before_dot', 'lost_after_dot'],
    ],
    ['use no try for a connection lost before the dot while the process stops', [lostBefore], true, ['gate_closed']],
    [
      'do not change replies and losses after the dot while the process stops',
      [delivered, lostAfter],
      true,
      ['answered', 'lost_after_dot'],
    ],
    [
      'use no try for recipients that are left to the next transaction, if others were not',
      [delivered, next],
      false,
      ['answered', 'next_transaction'],
    ],
    [
      'use a try if every recipient is left to the next transaction',
      [next, next],
      false,
      ['lost_before_dot', 'lost_before_dot'],
    ],
    [
      'use a try for recipients all left to the next transaction while the process stops',
      [next],
      true,
      ['lost_before_dot'],
    ],
  ]
  for (const [name, results, isStopping, kinds] of table)
    it(name, () =>
      assert.deepEqual(
        countedResults(results, isStopping).map(({ kind }) => kind),
        kinds,
      ),
    )
})
