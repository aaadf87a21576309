import assert from 'node:assert/strict'
import type { z } from 'zod'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import { Mailboxes, MailboxOrMailboxes, ReplyTo } from './recipients.ts'

const entries = (count: number, entry: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => entry(number))

/** Returns the addresses of a list, or its problems. */
const read = (schema: typeof Mailboxes | typeof ReplyTo, list: unknown): string[] => {
  const result = schema.safeParse(list)
  if (result.success) return result.data.map(({ address }) => address)
  return result.error.issues.map((issue) => `${issue.path.join('.')} ${codeOf(issue)}`)
}

const codeOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'custom' ? String(issue.params?.['code']) : issue.code

describe('address lists', () => {
  it('keep each entry in its place, repetitions included', () => {
    const list = entries(1_000, (number) => `Name <a${number % 50}@Bücher.example>`)
    assert.deepEqual(
      read(Mailboxes, list),
      entries(1_000, (number) => `a${number % 50}@xn--bcher-kva.example`),
    )
  })

  it('may have 50 addresses with U-labels and with A-labels', () => {
    const list = [...entries(50, (n) => `a${n}@bücher.example`), ...entries(50, (n) => `A${n}@xn--bcher-kva.example`)]
    assert.equal(read(Mailboxes, list).length, 100)
    assert.equal(read(Mailboxes, list).includes('a49@xn--bcher-kva.example'), true)
  })

  it('have a problem for each entry that is no address', () => {
    const list = ['a@example.com', 7, 'a b', null, ...entries(70, () => 'x')]
    const problems = read(MailboxOrMailboxes, list)
    assert.deepEqual(problems.slice(0, 4), [
      '1 invalid_type',
      '2 invalid_address',
      '3 invalid_type',
      '4 invalid_address',
    ])
    assert.equal(problems.length, 73)
  })

  it('have one problem if they have more than 1,000 entries or 100 different ones', () => {
    const different = [
      entries(101, (number) => `a${number}@example.com`),
      entries(101, (number) => `x ${number}`),
      entries(101, (number) => `Name ${number} <a@example.com>`),
    ]
    for (const list of [...different, entries(1_001, () => 'a@example.com')]) {
      assert.deepEqual(read(Mailboxes, list), [' too_many_recipients'])
      assert.deepEqual(read(MailboxOrMailboxes, list), [' too_many_recipients'])
    }
  })

  it('may be one address, or empty, except `to`', () => {
    for (const schema of [MailboxOrMailboxes, ReplyTo]) {
      assert.deepEqual(read(schema, 'a@example.com'), ['a@example.com'])
      assert.deepEqual(read(schema, []), [])
    }
    assert.deepEqual(read(Mailboxes, 'a@example.com'), [' invalid_type'])
    assert.deepEqual(read(Mailboxes, []), [' too_small'])
  })

  // Regression: `reply_to` had no limit, and 1,000 international addresses in it used 80 to 150 ms.
  it('have at most 50 entries in reply_to', () => {
    assert.equal(
      read(
        ReplyTo,
        entries(50, () => 'a@example.com'),
      ).length,
      50,
    )
    assert.deepEqual(
      read(
        ReplyTo,
        entries(51, () => 'a@example.com'),
      ),
      [' too_many'],
    )
  })

  // Regression: each of 1,000 entries was parsed, which used 30 ms.
  it('parse a repeated entry once', async () => {
    const domain = `${'ü'.repeat(50)}.${'ß'.repeat(40)}.${'漢'.repeat(12)}.example`
    const list = entries(1_000, (number) => `Name <a${number % 50}@${domain}>`)
    await assertCpuBelow(8, () => assert.equal(read(Mailboxes, list).length, 1_000))
  })
})
