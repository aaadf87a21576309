import assert from 'node:assert/strict'
import { assertStepsBelow } from '../../../test/support/cost.ts'
import { checkDomainSteps, maxQuestions } from './check.ts'
import { maxFoundLength } from './finding.ts'
import { shownKey } from './keys.ts'
import { type LookupResult, questionKey } from './lookup.ts'
import { dkimName } from './records.ts'
import {
  changed,
  checkZone,
  complete,
  keyOf,
  pending,
  rsaPublic,
  withBounces,
  withoutBounces,
} from './zones.conformance.ts'

const own = '_postrider.example.com'
const spfName = 'bounces.example.com'
const ownTxt = `TXT ${own}`
const spfTxt = `TXT ${spfName}`
const dmarc = 'TXT _dmarc.example.com'

describe('check of a domain', () => {
  it('finds every record of a complete zone with one round of few questions', () => {
    const { records, rounds } = checkZone(pending(), withBounces, complete, 7_000)
    assert.deepEqual(
      records.map(({ status, problem, foundAt }) => [status, problem, foundAt]),
      Array(6).fill(['found', null, 7_000]),
    )
    assert.equal(rounds.flat().length, 9)
    assert.ok(rounds.length <= 2)
  })

  it('offers no return path without a domain that receives bounces', () => {
    const { records } = checkZone(pending(), withoutBounces, complete)
    assert.deepEqual(
      records.map(({ purpose }) => purpose),
      ['ownership', 'dkim', 'dkim', 'dmarc'],
    )
  })

  it('keeps the last result and its time while DNS does not answer', () => {
    const first = checkZone(pending(), withBounces, complete, 1_000)
    const domain = pending({ lastCheck: { at: 1_000, records: first.records } })
    const { records } = checkZone(domain, withBounces, () => ({ kind: 'unknown', why: 'timeout' }), 2_000)
    assert.deepEqual(
      records.map(({ status }) => status),
      Array(6).fill('unknown'),
    )
    assert.deepEqual(
      records.map(({ found, foundAt }) => [found, foundAt]),
      first.records.map(({ found }) => [found, 1_000]),
    )
  })

  it('advises a policy that is derived from the existing one', () => {
    const zone = changed({ [dmarc]: ['v=DMARC1; p=reject; adkim = s; rua=mailto:a@example.com'] })
    const record = checkZone(pending(), withBounces, zone).records.at(-1)
    assert.equal(record?.advised, 'v=DMARC1; p=reject; adkim=r; rua=mailto:a@example.com')
  })

  it('stores little of a zone with large contents', () => {
    const texts = Array.from({ length: 500 }, (_, i) => `${i} ${'x'.repeat(60_000)}`)
    const { records } = checkZone(pending(), withBounces, changed({ [ownTxt]: texts }))
    const found = records[0]?.found ?? []
    assert.equal(found.length, 10)
    assert.ok(found.every((text) => text.length <= maxFoundLength + 1))
  })

  // Regression: half of a surrogate pair at the cut made JSON that many clients cannot read.
  it('shows contents that change no text around them', () => {
    const hostile = [`${'x'.repeat(maxFoundLength - 1)}😀`, 'a\nb\r\u0000\u001b[2J\u0085', 'a\u202eb\u2066c\u200f']
    const harmless = [
      `${'x'.repeat(maxFoundLength - 1)}\ufffd…`,
      'a\ufffdb\ufffd\ufffd\ufffd[2J\ufffd',
      'a\ufffdb\ufffdc\ufffd',
    ]
    const { records } = checkZone(pending(), withBounces, changed({ [ownTxt]: hostile }))
    assert.deepEqual(records[0]?.found, harmless)
    const quotes: [string, string][] = [
      [spfTxt, `v=spf1 include:bounces.postrider.example ${'x'.repeat(49)}😀 ~all`],
      [spfTxt, 'v=spf1 include:bounces.postrider.example \u202ex\u0007 ~all'],
      ['TXT prr1._domainkey.example.com', `v=DKIM1; k=\u202e\u0000${'x'.repeat(17)}😀; p=${rsaPublic}`],
    ]
    for (const [question, text] of quotes) {
      const { records: checked } = checkZone(pending(), withBounces, changed({ [question]: [text] }))
      const { problem } = checked.find(({ type, name }) => question === `${type} ${name}`) ?? assert.fail()
      assert.match(problem ?? '', /\ufffd/)
      assert.doesNotMatch(problem ?? '', /[\p{Cc}\u202e]/u)
      assert.ok(problem?.isWellFormed())
    }
  })

  it('advises no policy that is too long, or that a person cannot paste', () => {
    for (const more of ['x'.repeat(60_000), 'a\u0007', 'ä', '\u202e']) {
      for (const texts of [
        [`v=DMARC1; p=reject; rua=mailto:${more}`],
        [`v=DMARC1; p=reject; adkim=s; rua=mailto:${more}`],
        [`v=DMARC1; p=reject; rua=mailto:${more}`, 'v=DMARC1; p=none'],
      ]) {
        const record = checkZone(pending(), withBounces, changed({ [dmarc]: texts })).records.at(-1)
        assert.equal(record?.advised, undefined)
      }
    }
  })

  it('makes a bounded number of queries to a zone whose SPF records include each other', () => {
    let count = 0
    const includes = () => Array.from({ length: 20 }, () => `include:s${count++}.example.net`).join(' ')
    const zone = changed({ [spfTxt]: [`v=spf1 include:bounces.postrider.example ${includes()} ~all`] })
    const { rounds } = checkZone(pending(), withBounces, zone)
    assert.ok(rounds.flat().length <= maxQuestions)
    const hostile = checkZone(pending(), withBounces, ({ name, type }) =>
      type !== 'TXT'
        ? { kind: 'missing', why: 'nodata', aliases: [] }
        : {
            kind: 'answer',
            records: [{ type, strings: [`v=spf1 include:bounces.postrider.example ${includes()}`] }],
            aliases: [],
            conflict: name === '',
          },
    )
    assert.ok(hostile.rounds.flat().length <= maxQuestions)
    assert.ok(hostile.rounds.length <= maxQuestions)
  })

  // Regression: all answers of a round were checked in one step of 100 ms.
  it('takes short steps for long texts and many keys', async () => {
    const answers = new Map<string, LookupResult>()
    const keys = Array.from({ length: 8 }, (_, n) => shownKey(keyOf(`prr${n}`, 'rsa', `${rsaPublic}${n}`), 0))
    const domain = pending({ keys })
    const names = ['example.com', '_postrider.example.com', ...keys.map((key) => dkimName(domain, key)).slice(0, 2)]
    for (const name of names)
      answers.set(questionKey({ name, type: 'TXT' }), {
        kind: 'answer',
        records: [{ type: 'TXT', strings: ['&a;'.repeat(21_000)] }],
        aliases: [],
        conflict: false,
      })
    for (;;) {
      const { needed } = await assertStepsBelow(15, () => checkDomainSteps(domain, withBounces, answers, 0))
      if (needed.length === 0) break
      for (const question of needed) answers.set(questionKey(question), { kind: 'missing', why: 'nodata', aliases: [] })
    }
  })

  it('sends no query whose name is too long for DNS', () => {
    const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(25)}.example`.slice(0, 220)
    const { rounds } = checkZone(pending({ name }), withBounces, {})
    const names = rounds.flat().map((question) => question.split(' ')[1] ?? '')
    assert.ok(names.length > 5)
    assert.deepEqual(
      names.filter((one) => one.length > 253),
      [],
    )
  })
})
