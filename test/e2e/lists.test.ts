import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

describe('lists of emails and templates', () => {
  const system = useSystem()
  let tenant: Tenant
  let sent: EmailRecord[]
  const particular = fresh('particular')

  before(async () => {
    tenant = await system().client.tenant()
    const template = await tenant.template({ subject: 'From a template', text_body: 'x' })
    await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { postal_address: '1 Road, Town' } })
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const mails = [
      rawMail({ subject: 'Plain one' }),
      rawMail({ subject: 'Invoice 4711', tags: { team: 'blue', kind: 'invoice' } }),
      rawMail({ subject: 'Reminder of INVOICE 4711', tags: { team: 'red' } }),
      { to: [fresh()], template_id: template.id, template_vars: {} },
      rawMail({ subject: 'Later', scheduled_at: soon }),
      rawMail({ subject: 'In copy', cc: [particular] }),
      rawMail({ subject: '100 % sure_thing' }),
    ]
    sent = []
    for (const mail of mails) {
      const response = await tenant.send(mail)
      assert.equal(response.status, 202, response.text)
      sent.push(response.body)
    }
    for (const { id } of sent.filter((one) => one.status !== 'scheduled'))
      await tenant.until(id, (email) => email.status === 'delivered')
  })

  const subjects = async (query: string): Promise<string[]> => (await tenant.list(query)).data.map((one) => one.subject)

  it('lists emails with the newest first, and that there are no more', async () => {
    const list = await tenant.list()
    assert.deepEqual(
      list.data.map((one) => one.id),
      sent.map((one) => one.id).reverse(),
    )
    assert.deepEqual([list.object, list.has_more, list.next_cursor], ['list', false, null])
    assert.equal(list.data[0]?.object, 'email')
  })

  const filters: [name: string, query: () => Record<string, string>, subjects: string[]][] = [
    ['scheduled status', () => ({ status: 'scheduled' }), ['Later']],
    ['recipient', () => ({ to: particular }), ['In copy']],
    [
      'recipient with another case of the domain',
      () => ({ to: particular.replace('receiver', 'RECEIVER') }),
      ['In copy'],
    ],
    ['part of the subject in any case', () => ({ subject: 'invoice' }), ['Reminder of INVOICE 4711', 'Invoice 4711']],
    ['% in the subject', () => ({ subject: '%' }), ['100 % sure_thing']],
    ['_ in the subject', () => ({ subject: 'e_t' }), ['100 % sure_thing']],
    ['template', () => ({ template_id: sent[3]?.template_id ?? '' }), ['From a template']],
    ['tag', () => ({ tag: 'team:red' }), ['Reminder of INVOICE 4711']],
    ['tag and subject', () => ({ tag: 'kind:invoice', subject: '4711' }), ['Invoice 4711']],
    ['tag with an unused value', () => ({ tag: 'team:green' }), []],
    ['marketing category', () => ({ category: 'marketing' }), []],
    ['future created_after', () => ({ created_after: '2100-01-01T00:00:00Z' }), []],
    ['past created_before', () => ({ created_before: '2001-01-01T00:00:00Z' }), []],
    ['another sender', () => ({ from_: 'other@else.example' }), []],
  ]

  for (const [name, query, expected] of filters)
    it(`selects only the matching emails by filter: ${name}`, async () => {
      const parameters = new URLSearchParams(query())
      assert.deepEqual(await subjects(`?${parameters}`), expected, `${parameters}`)
    })

  it('filters emails by status, sender and time', async () => {
    assert.equal((await subjects('?status=delivered')).length, 6)
    const sender = tenant.workspace.sender.replace(/^.*<|>$/g, '')
    assert.equal((await subjects(`?from_=${encodeURIComponent(sender)}`)).length, 7)
    const middle = encodeURIComponent(sent[3]?.created_at ?? '')
    const after = await subjects(`?created_after=${middle}`)
    const before = await subjects(`?created_before=${middle}`)
    assert.ok(after.includes('In copy') && !after.includes('Plain one'))
    assert.ok(before.includes('Plain one') && !before.includes('In copy'))
  })

  it('pages have no gaps or repeated emails while new emails are accepted', async () => {
    const reader = await system().client.tenant()
    const ids: string[] = []
    for (let i = 0; i < 25; i += 1) ids.push((await reader.send(rawMail({ subject: `n${i}` }))).body.id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '?limit=7' : `?limit=7&cursor=${encodeURIComponent(cursor)}`
      const page = await reader.list(query)
      assert.ok(page.data.length <= 7)
      assert.equal(page.has_more, page.next_cursor !== null)
      seen.push(...page.data.map((one) => one.id))
      cursor = page.next_cursor
      await reader.send(rawMail())
    } while (cursor !== null)
    assert.deepEqual(seen, ids.reverse())
  })

  it('refuses a cursor of other filters or another workspace', async () => {
    const { next_cursor } = await tenant.list('?limit=1')
    const other = await system().client.tenant()
    const cursor = encodeURIComponent(next_cursor ?? assert.fail())
    assert.equal((await tenant.api.call({ path: `/api/v1/emails?limit=1&cursor=${cursor}` })).status, 200)
    assertProblem(await other.api.call({ path: `/api/v1/emails?limit=1&cursor=${cursor}` }), 400, 'malformed_request')
    const filtered = await tenant.api.call({ path: `/api/v1/emails?limit=1&status=delivered&cursor=${cursor}` })
    assertProblem(filtered, 400, 'malformed_request')
  })

  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=101',
    'limit=1e9',
    'limit=ten',
    'limit=1&limit=2',
    'cursor=forged',
    'cursor=',
    'status=sent_perhaps',
    'created_after=yesterday',
    'tag=nocolon',
    'category=spam',
    'nonsense=1',
    'status[$ne]=x',
    'sort=$where',
  ])
    it(`refuses the query ?${query}`, async () => {
      assertProblem(await tenant.api.call({ path: `/api/v1/emails?${query}` }), 400, 'malformed_request')
    })

  it('lists templates in pages', async () => {
    const reader = await system().client.tenant()
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) ids.push((await reader.template({ text_body: 'x' })).id)
    type Page = { data: { id: string }[]; next_cursor: string | null }
    const page = async (query: string) =>
      (await reader.api.call<Page>({ path: `/api/v1/templates?limit=2${query}` })).body
    const first = await page('')
    const second = await page(`&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)
    const third = await page(`&cursor=${encodeURIComponent(second.next_cursor ?? '')}`)
    assert.deepEqual(
      [...first.data, ...second.data, ...third.data].map((one) => one.id),
      ids.reverse(),
    )
    assert.equal(third.next_cursor, null)
  })
})
