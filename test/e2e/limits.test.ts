import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

const pairs = (count: number, prefix = 'n'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'v']))

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** Each limit of API.md: what just fits, what is just too much, and where the refusal points. */
const limits: [name: string, fits: Record<string, unknown>, over: Record<string, unknown>, path: RegExp][] = [
  ['recipients', { to: many(50, () => fresh()) }, { to: many(51, () => fresh()) }, /^(to)?$/],
  ['subject', { subject: 's'.repeat(998) }, { subject: 's'.repeat(999) }, /^subject$/],
  ['html', { html: 'x'.repeat(2 ** 21) }, { html: 'x'.repeat(2 ** 21 + 1) }, /^html$/],
  ['text', { text: 'x'.repeat(2 ** 21) }, { text: 'x'.repeat(2 ** 21 + 1) }, /^text$/],
  ['tags', { tags: pairs(10) }, { tags: pairs(11) }, /^tags/],
  ['a tag name', { tags: { ['n'.repeat(256)]: 'v' } }, { tags: { ['n'.repeat(257)]: 'v' } }, /^tags/],
  ['a tag value', { tags: { n: 'v'.repeat(256) } }, { tags: { n: 'v'.repeat(257) } }, /^tags/],
  ['what a tag holds', { tags: { 'A-z_9': '0-Z_a' } }, { tags: { n: 'with space' } }, /^tags/],
  ['metadata', { metadata: pairs(20) }, { metadata: pairs(21) }, /^metadata/],
  ['metadata in all', { metadata: { a: 'x'.repeat(10_000) } }, { metadata: { a: 'x'.repeat(10_241) } }, /^metadata/],
  ['headers', { headers: pairs(30, 'X-H') }, { headers: pairs(31, 'X-H') }, /^headers/],
  ['a header value', { headers: { 'X-A': 'v '.repeat(499) } }, { headers: { 'X-A': 'v'.repeat(999) } }, /^headers/],
  [
    'attachments',
    { attachments: many(10, (i) => ({ filename: `${i}.txt`, content: 'eA==' })) },
    { attachments: many(11, (i) => ({ filename: `${i}.txt`, content: 'eA==' })) },
    /^attachments/,
  ],
  ['how far ahead', { scheduled_at: 'P29D' }, { scheduled_at: 'P30DT1H' }, /^scheduled_at$/],
]

describe('limits', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  for (const [name, fits, over, path] of limits)
    it(`${name}: what fits is taken, one more is refused`, async () => {
      const taken = await tenant.send(rawMail(fits))
      assert.equal(taken.status, 202, taken.text.slice(0, 500))
      const { errors } = assertProblem(await tenant.send(rawMail(over)), 422, 'validation_failed')
      assert.ok(errors?.length === 1 && path.test(errors[0]?.path ?? '-'), JSON.stringify(errors))
    })

  it('an Idempotency-Key of 255 characters is taken', async () => {
    assert.equal((await tenant.send(rawMail(), { 'idempotency-key': 'k'.repeat(255) })).status, 202)
  })

  for (const [expires_in, taken] of [
    ['PT10M', true],
    [600, true],
    ['10 minutes', false],
    [0, false],
    [-5, false],
    ['PT0S', false],
  ] as const)
    it(`expires_in ${JSON.stringify(expires_in)} is ${taken ? 'taken' : 'refused'}`, async () => {
      const answer = await tenant.send(rawMail({ expires_in }))
      if (taken) assert.equal(answer.status, 202, answer.text)
      else assertProblem(answer, 422, 'validation_failed', [{ path: 'expires_in' }])
    })

  it('marketing mail needs the postal address of the workspace', async () => {
    const other = await system().client.tenant()
    const mail = rawMail({ category: 'marketing' })
    assertProblem(await other.send(mail), 422, 'validation_failed', [{ code: 'postal_address_required' }])
    await other.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { postal_address: '1 Road, Town' } })
    const answer = await other.send(mail)
    assert.deepEqual([answer.status, answer.body.category], [202, 'marketing'], answer.text)
    await other.until(answer.body.id, (email) => email.status === 'delivered')
  })
})
