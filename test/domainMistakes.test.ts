import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordPurpose, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { shownKey } from '@postrider/domain/domains/keys.ts'
import { takenRecords } from '@postrider/domain/domains/life.ts'
import { recordViews } from '@postrider/domain/domains/recordViews.ts'
import {
  changed,
  checkZone,
  keyOf,
  ownershipRecord,
  pending,
  rsaPublic,
  withBounces,
  type Zone,
} from '@postrider/domain/domains/zones.conformance.ts'
import { root } from './support/project.ts'

const page = readFileSync(join(root, 'docs/domains.md'), 'utf8')

/** The quotations of the page, each on one line, without the backslashes of Markdown. */
const quoted = [...page.matchAll(/(?:^> .*\n)+/gm)].map(([lines]) =>
  lines.replaceAll(/^> /gm, '').replaceAll('\\', '').trim().replaceAll('\n', ' '),
)

const selector = 'prrh4k2m9xq'
/** A public key of RSA with 2,048 bits has 392 characters. */
const key = keyOf(selector, 'rsa', rsaPublic.padEnd(392, 'A'))
const domain: SendingDomain = pending({ keys: [shownKey(key, 0)] })
const dkim = `${selector}._domainkey.example.com`

const right = changed({ [`TXT ${dkim}`]: [key.publicRecord] })

/** The mistakes in the order of the page. */
const mistakes: [heading: string, purpose: RecordPurpose, zone: Zone][] = [
  [
    'The domain is appended twice.',
    'ownership',
    changed(
      { 'TXT _postrider.example.com': undefined, 'TXT _postrider.example.com.example.com': [ownershipRecord] },
      right,
    ),
  ],
  ['Quotes are part of the value.', 'dkim', changed({ [`TXT ${dkim}`]: [`"${key.publicRecord}"`] }, right)],
  ['The key is cut off.', 'dkim', changed({ [`TXT ${dkim}`]: [key.publicRecord.slice(0, 255)] }, right)],
  ['There is a CNAME at the same name.', 'dkim', changed({ [`CNAME ${dkim}`]: ['mail.provider.example'] }, right)],
  [
    'There are two SPF records.',
    'return_path_spf',
    changed({ 'TXT bounces.example.com': ['v=spf1 include:bounces.postrider.example ~all', 'v=spf1 -all'] }, right),
  ],
]

describe('docs/domains.md', () => {
  it('has the mistakes in the order of this table', () => {
    const section = page.slice(
      page.indexOf('## The five most common mistakes'),
      page.indexOf('## Who may verify a name'),
    )
    const headings = [...section.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, heading]) => heading)
    assert.deepEqual(
      headings,
      mistakes.map(([heading]) => heading),
    )
  })

  it('has no problem with the right records', () => {
    const { records } = checkZone(domain, withBounces, right)
    assert.deepEqual(
      records.filter(({ problem }) => problem !== null),
      [],
    )
  })

  for (const [index, [heading, purpose, zone]] of mistakes.entries())
    it(`quotes what a check returns: ${heading}`, () => {
      const { records } = checkZone(domain, withBounces, zone)
      assert.equal(quoted[index], records.find((record) => record.purpose === purpose)?.problem)
    })

  it('quotes what a check returns for a name that another workspace has verified', () => {
    const { records } = checkZone(domain, withBounces, right)
    const [first] = takenRecords(records, domain.name)
    assert.equal(quoted[mistakes.length], first?.problem)
  })

  it('quotes what a record returns whose key is not used any more', () => {
    const removable: SendingDomain = { ...domain, keys: [{ ...shownKey(key, 0), state: 'removable', sealed: null }] }
    const problem = recordViews(removable, withBounces).find((record) => record.purpose === 'dkim')?.problem
    assert.ok(problem && page.includes(`“${problem}”`), problem)
  })
})
