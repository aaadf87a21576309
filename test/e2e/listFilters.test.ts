import assert from 'node:assert/strict'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

/** What a list returns for these parameters, computed from the records. */
type Filter = [query: Record<string, string>, matches: (email: EmailRecord) => boolean]

describe('filters of the list of emails', () => {
  const system = useSystem()
  const copied = fresh('Copied')
  let tenant: Tenant
  let limited: Tenant['api']
  let sent: EmailRecord[]

  before(async () => {
    tenant = await system().client.tenant()
    limited = await tenant.makeKey({ name: 'limited', mode: 'live', scopes: ['emails:send'] })
    const template = await tenant.template({ subject: 'From a template', text_body: 'x' })
    await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { postal_address: '1 Road, Town' } })
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const mails = [
      rawMail({ subject: 'Rechnung für İstanbul', tags: { team: 'red' } }),
      rawMail({ subject: 'RECHNUNG 4711', tags: { team: 'blue' } }),
      rawMail({ subject: 'Hot: 300 \u212a', cc: [copied] }),
      rawMail({ subject: 'Later', scheduled_at: soon, tags: { team: 'red' } }),
      rawMail({ subject: '§ 4', bcc: [copied.toUpperCase()] }),
      { to: [fresh()], template_id: template.id, template_vars: {} },
    ]
    sent = []
    for (const mail of mails) sent.push((await tenant.send(mail)).body)
    const own = await limited.call<EmailRecord>({
      method: 'POST',
      path: '/api/v1/emails',
      json: rawMail({ subject: 'Own' }),
    })
    assert.equal(own.status, 202, own.text)
    sent.push(own.body)
    for (const { id, status } of sent)
      if (status !== 'scheduled') await tenant.until(id, (email) => email.status === 'delivered')
  })

  const hasTag = (email: EmailRecord, team: string): boolean => email.tags['team'] === team
  const isCopied = ({ subject }: EmailRecord): boolean => /^Hot|^§/.test(subject)
  const filters: Filter[] = [
    [{ status: 'delivered' }, ({ subject }) => subject !== 'Later'],
    [{ status: 'scheduled' }, ({ subject }) => subject === 'Later'],
    [{ status: 'failed' }, () => false],
    [{ status: 'sending' }, () => false],
    [{ to: copied }, isCopied],
    [{ to: copied.toUpperCase() }, isCopied],
    [{ to: 'none@receiver.example' }, () => false],
    [{ from_: 'none@postrider.example' }, () => false],
    [{ subject: 'rechnung' }, ({ subject }) => /rechnung/i.test(subject)],
    [{ subject: 'FÜR ISTANBUL' }, ({ subject }) => subject.includes('für')],
    [{ subject: '300 k' }, ({ subject }) => subject.startsWith('Hot')],
    [{ subject: '§' }, ({ subject }) => subject.startsWith('§')],
    [{ subject: '7' }, ({ subject }) => subject.includes('7')],
    [{ subject: '~' }, () => false],
    [{ subject: 'no such subject' }, () => false],
    [{ template_id: 'tpl_none' }, () => false],
    [{ tag: 'team:red' }, (email) => hasTag(email, 'red')],
    [{ tag: 'team:none' }, () => false],
    [{ category: 'transactional' }, () => true],
    [{ category: 'marketing' }, () => false],
    [{ created_after: '2001-01-01T00:00:00Z' }, () => true],
    [{ created_before: '2001-01-01T00:00:00Z' }, () => false],
  ]

  const subjectsOf = async (query: Record<string, string>, caller: Tenant['api'] = tenant.api): Promise<string[]> => {
    const path = `/api/v1/emails?${new URLSearchParams(query)}`
    const response = await caller.call<{ data: EmailRecord[] }>({ path })
    assert.equal(response.status, 200, response.text)
    return response.body.data.map(({ subject }) => subject)
  }
  const expected = (...matches: Filter[1][]): string[] =>
    sent
      .filter((email) => matches.every((match) => match(email)))
      .map(({ subject }) => subject)
      .reverse()

  for (const [query, matches] of filters)
    it(`apply ${JSON.stringify(query)} alone and with each other filter`, async () => {
      assert.deepEqual(await subjectsOf(query), expected(matches))
      for (const [other, matchesToo] of filters) {
        if (Object.keys(other).some((name) => name in query)) continue
        const pair = { ...query, ...other }
        assert.deepEqual(await subjectsOf(pair), expected(matches, matchesToo), JSON.stringify(pair))
      }
    })

  it('select by template and sender', async () => {
    const [plain, , , , , templated] = sent
    const sender = tenant.workspace.sender.replace(/^.*<|>$/g, '')
    assert.deepEqual(await subjectsOf({ template_id: templated?.template_id ?? '' }), ['From a template'])
    assert.deepEqual(await subjectsOf({ from_: sender.toUpperCase() }), expected())
    assert.deepEqual(await subjectsOf({ from_: sender, subject: plain?.subject ?? '' }), [plain?.subject])
  })

  it('apply to what a key may read', async () => {
    assert.deepEqual(await subjectsOf({}, limited), ['Own'])
    assert.deepEqual(await subjectsOf({ status: 'delivered' }, limited), ['Own'])
    assert.deepEqual(await subjectsOf({ subject: 'rechnung' }, limited), [])
    const test = await tenant.makeKey({ name: 'test', mode: 'test', scopes: ['emails:read'] })
    for (const [query] of filters) assert.deepEqual(await subjectsOf(query, test), [])
  })

  it('follow a status that changes', async () => {
    const later = sent.find(({ subject }) => subject === 'Later')
    const path = `/api/v1/emails/${later?.id}/cancel`
    assert.equal((await tenant.api.call({ method: 'POST', path })).status, 200)
    assert.deepEqual(await subjectsOf({ status: 'scheduled' }), [])
    assert.deepEqual(await subjectsOf({ status: 'canceled', tag: 'team:red' }), ['Later'])
  })
})
