import assert from 'node:assert/strict'
import fc from 'fast-check'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { foldCase } from '../letterCase.ts'
import { type EmailQuery, matches, noFilter, prefilterTerms } from './filter.ts'
import { termsOf, termsOfQuery } from './terms.ts'

const stored = (over: Parameters<typeof anEmail>[0]) => ({
  email: anEmail(over),
  nextAt: null,
  leaseUntil: null,
  fence: 0,
  deaths: 0,
})

const query = (over: Partial<EmailQuery>): EmailQuery => ({
  ...noFilter,
  workspace: anEmail().workspace,
  limit: 10,
  now: 0,
  ...over,
})

/** Whether an index by terms has the email among its candidates. */
const isCandidate = (email: ReturnType<typeof anEmail>, wanted: EmailQuery): boolean => {
  const terms = termsOf(email)
  const { all, start } = termsOfQuery(wanted)
  return all.every((term) => terms.includes(term)) && (start === null || terms.some((term) => term.startsWith(start)))
}

/**
 * Whether the texts that a store searches for in the JSON occur in it, with the case of ASCII folded as SQLite does.
 */
const isInJson = (email: ReturnType<typeof anEmail>, wanted: EmailQuery): boolean => {
  const json = JSON.stringify(email).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return prefilterTerms(wanted).every((term) => json.includes(term))
}

const text = fc.string({ unit: fc.constantFrom(...'aAiIkKzZ1 "\\İıKſßΣσςéÉ\u0307👍中'), maxLength: 12 })

describe('terms of an email', () => {
  // Searches by `İ` and by the sign for Kelvin found nothing.
  for (const [subject, part] of [
    ['İstanbul', 'istanbul'],
    ['İstanbul', 'İ'],
    ['istanbul', 'İST'],
    ['300 \u212a', 'k'],
    ['300 k', '\u212a'],
    ['ΟΔΟΣΑ', 'οδος'],
    ['οδος', 'ΟΔΟΣ'],
    ['ÄRGER', 'ä'],
  ] as const)
    it(`find ${JSON.stringify(part)} in ${JSON.stringify(subject)}`, () => {
      const [email, wanted] = [anEmail({ subject }), query({ subject: part })]
      assert.ok(matches(stored({ subject }), wanted))
      assert.ok(isCandidate(email, wanted))
      assert.ok(isInJson(email, wanted))
    })

  it('include the terms of every query that the email matches', () => {
    fc.assert(
      fc.property(text, text, text, fc.nat(12), fc.nat(12), (before, part, after, from, length) => {
        const subject = `${before}${part}${after}`
        const some = [...foldCase(subject)].slice(from, from + length).join('')
        const tags = { [before]: after }
        const email = anEmail({ subject, tags, recipients: [aRecipient({ address: `${part}@example.com` })] })
        for (const wanted of [
          query({ subject: part || null }),
          query({ subject: some || null }),
          query({ subject: subject.toUpperCase() || null }),
          query({ to: `${part.toUpperCase()}@EXAMPLE.com` }),
          query({ tag: { name: before, value: after }, mode: email.mode, category: email.category }),
        ]) {
          if (!matches({ ...stored({}), email }, wanted)) continue
          assert.ok(isCandidate(email, wanted), JSON.stringify(wanted))
          assert.ok(isInJson(email, wanted), JSON.stringify(wanted))
        }
      }),
    )
  })

  it('are ASCII letters and digits', () => {
    fc.assert(
      fc.property(text, (subject) => {
        const terms = termsOf(anEmail({ subject }))
        assert.ok(terms.every((term) => /^[0-9a-z]+$/.test(term)))
      }),
    )
  })

  it('differ between workspaces', () => {
    const [one, other] = [termsOf(anEmail()), termsOf(anEmail({ workspace: 'ws_other' }))]
    assert.deepEqual(
      one.filter((term) => other.includes(term)),
      [],
    )
  })

  it('do not have the subject after its removal', () => {
    const removed = termsOf(anEmail({ subject: '' }))
    assert.ok(removed.length < termsOf(anEmail({ subject: 'Code 123' })).length)
    assert.ok(!isCandidate(anEmail({ subject: '' }), query({ subject: '1' })))
  })
})
