import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

const pairs = (count: number, prefix = 'n'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'v']))

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** Limits of the API: fields at the limit, fields over the limit, and the path that the error names. */
const limits: [name: string, atLimit: Record<string, unknown>, over: Record<string, unknown>, path: RegExp][] = [
  ['recipients', { to: many(50, () => fresh()) }, { to: many(51, () => fresh()) }, /^(to)?$/],
  ['subject', { subject: 's'.repeat(998) }, { subject: 's'.repeat(999) }, /^subject$/],
  ['html', { html: 'x'.repeat(2 ** 21) }, { html: 'x'.repeat(2 ** 21 + 1) }, /^html$/],
  ['text', { text: 'x'.repeat(2 ** 21) }, { text: 'x'.repeat(2 ** 21 + 1) }, /^text$/],
  ['tags', { tags: pairs(10) }, { tags: pairs(11) }, /^tags/],
  ['length of a tag name', { tags: { ['n'.repeat(256)]: 'v' } }, { tags: { ['n'.repeat(257)]: 'v' } }, /^tags/],
  ['length of a tag value', { tags: { n: 'v'.repeat(256) } }, { tags: { n: 'v'.repeat(257) } }, /^tags/],
  ['characters of a tag', { tags: { 'A-z_9': '0-Z_a' } }, { tags: { n: 'with space' } }, /^tags/],
  ['metadata', { metadata: pairs(20) }, { metadata: pairs(21) }, /^metadata/],
  [
    'size of all metadata',
    { metadata: { a: 'x'.repeat(10_000) } },
    { metadata: { a: 'x'.repeat(10_241) } },
    /^metadata/,
  ],
  ['headers', { headers: pairs(30, 'X-H') }, { headers: pairs(31, 'X-H') }, /^headers/],
  [
    'length of a header value',
    { headers: { 'X-A': 'v '.repeat(499) } },
    { headers: { 'X-A': 'v'.repeat(999) } },
    /^headers/,
  ],
  [
    'attachments',
    { attachments: many(10, (i) => ({ filename: `${i}.txt`, content: 'eA==' })) },
    { attachments: many(11, (i) => ({ filename: `${i}.txt`, content: 'eA==' })) },
    /^attachments/,
  ],
  ['time until scheduled_at', { scheduled_at: 'P29D' }, { scheduled_at: 'P30DT1H' }, /^scheduled_at$/],
]

describe('limits of a send', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  for (const [name, atLimit, over, path] of limits)
    it(`accepts the maximum and refuses more: ${name}`, async () => {
      const accepted = await tenant.send(rawMail(atLimit))
      assert.equal(accepted.status, 202, accepted.text.slice(0, 500))
      const { errors } = assertProblem(await tenant.send(rawMail(over)), 422, 'validation_failed')
      assert.ok(errors?.length === 1 && path.test(errors[0]?.path ?? '-'), JSON.stringify(errors))
    })

  it('accepts an Idempotency-Key of 255 characters', async () => {
    assert.equal((await tenant.send(rawMail(), { 'idempotency-key': 'k'.repeat(255) })).status, 202)
  })

  for (const [expires_in, isAccepted] of [
    ['PT10M', true],
    [600, true],
    ['10 minutes', false],
    [0, false],
    [-5, false],
    ['PT0S', false],
  ] as const)
    it(`${isAccepted ? 'accepts' : 'refuses'} expires_in ${JSON.stringify(expires_in)}`, async () => {
      const response = await tenant.send(rawMail({ expires_in }))
      if (isAccepted) assert.equal(response.status, 202, response.text)
      else assertProblem(response, 422, 'validation_failed', [{ path: 'expires_in' }])
    })

  it('refuses marketing mail until the workspace has a postal address', async () => {
    const other = await system().client.tenant()
    const mail = rawMail({ category: 'marketing' })
    assertProblem(await other.send(mail), 422, 'validation_failed', [{ code: 'postal_address_required' }])
    await other.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { postal_address: '1 Road, Town' } })
    const response = await other.send(mail)
    assert.deepEqual([response.status, response.body.category], [202, 'marketing'], response.text)
    await other.until(response.body.id, (email) => email.status === 'delivered')
  })
})
