import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, freshDomain, password, rawMail, type Tenant } from '../support/client.ts'
import type { Call } from '../support/http.ts'
import type {
  AuditRecord,
  DomainRecord,
  EmailRecord,
  KeyRecord,
  ListRecord,
  TemplateRecord,
} from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type Actor = AuditRecord['actor']

const address = '198.51.100.77'
const newest = 'limit=100'

describe('audit log', () => {
  const system = useSystem()
  let tenant: Tenant
  let person: Actor
  before(async () => {
    tenant = await system().client.tenant()
    const { id, email } = tenant.session.record.user
    person = { type: 'user', id, email, name: null }
  })

  const list = async (query = newest, caller: Caller = tenant.session): Promise<ListRecord<AuditRecord>> => {
    const response = await caller.call<ListRecord<AuditRecord>>({ path: `/api/v1/audit-log?${query}` })
    assert.equal(response.status, 200, response.text)
    return response.body
  }
  const listAsOperator = async (query: string): Promise<ListRecord<AuditRecord>> => {
    const path = `/api/v1/operator/audit-log?${query}`
    const response = await system().client.withOperatorToken().call<ListRecord<AuditRecord>>({ path })
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  /** Makes a request, and returns its body and the entries that it left. */
  const entriesOf = async <T>(
    caller: Caller,
    status: number,
    call: Call,
  ): Promise<{ body: T; entries: AuditRecord[] }> => {
    const known = new Set((await list()).data.map(({ id }) => id))
    const response = await caller.call<T>({ ...call, headers: { 'x-forwarded-for': address } })
    assert.equal(response.status, status, response.text)
    return { body: response.body, entries: (await list()).data.filter(({ id }) => !known.has(id)) }
  }

  type Change = Pick<AuditRecord, 'action' | 'before' | 'after'> & { target?: string }

  /**
   * Requires that a request leaves exactly one entry.
   * @param change its target is the record of the response by default
   */
  const leavesOne = async <T extends { id: string }>(
    actor: Actor,
    caller: Caller,
    status: number,
    call: Call,
    change: Change | ((entry: AuditRecord) => Change),
  ): Promise<T> => {
    const { body, entries } = await entriesOf<T>(caller, status, call)
    assert.equal(entries.length, 1, `${call.path} left ${JSON.stringify(entries)}`)
    const [entry] = entries as [AuditRecord]
    const { object, id, created_at, client_address, ...rest } = entry
    assert.deepEqual([object, client_address], ['audit_entry', address])
    assert.match(id, /^aud_[0-9a-z]{26}$/)
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { target = body.id, ...expected } = typeof change === 'function' ? change(entry) : change
    assert.deepEqual(rest, { actor, target, ...expected })
    return body
  }

  const leavesNone = async (caller: Caller, status: number, call: Call): Promise<void> =>
    assert.deepEqual((await entriesOf(caller, status, call)).entries, [])

  const keyOfTenant = async (scopes: string[]): Promise<{ caller: Caller; actor: Actor }> => {
    const { record, ...caller } = await tenant.makeKey({ name: 'Robot', scopes })
    return { caller, actor: { type: 'key', id: record.id, email: null, name: 'Robot' } }
  }

  it('has one entry for each change of a key by a person, and none where nothing changes', async () => {
    const { session } = tenant
    const settings = { scopes: ['emails:send'], mode: 'test', domains: [], networks: [] }
    const key = await leavesOne<KeyRecord>(
      person,
      session,
      201,
      { path: '/api/v1/api-keys', json: { name: 'CI', scopes: ['emails:send'], mode: 'test' } },
      ({ after }) => {
        const { expires_at, revoked_at, ...rest } = after ?? assert.fail('nothing after')
        assert.deepEqual([expires_at, revoked_at], [null, null])
        assert.deepEqual({ ...rest, ...settings, name: 'CI' }, rest)
        return { action: 'key.create', before: null, after }
      },
    )
    const path = `/api/v1/api-keys/${key.id}`
    const patch = { method: 'PATCH', path, json: { name: 'CI 2', networks: ['10.0.0.0/8'] } }
    const change = { action: 'key.update', before: { name: 'CI', networks: [] }, after: patch.json }
    await leavesOne(person, session, 200, patch, change)
    await leavesNone(session, 200, patch)
    await leavesOne(person, session, 204, { method: 'DELETE', path }, ({ after, created_at }) => {
      assert.ok(Date.parse(String(after?.['revoked_at'])) <= Date.parse(created_at))
      return { action: 'key.revoke', target: key.id, before: { revoked_at: null }, after }
    })
    await leavesNone(session, 204, { method: 'DELETE', path })
  })

  it('has one entry for a change of the workspace by its owner, and for one by the operator without the note', async () => {
    const target = tenant.workspace.id
    // Accounts stores the name and quota the cap, each with its entry.
    for (const [before, json] of [
      [{ sender_name: '' }, { sender_name: 'Acme Mail' }],
      [{ spending_cap_usd: null }, { spending_cap_usd: 12.5 }],
    ] as const) {
      const patch = { method: 'PATCH', path: '/api/v1/workspace', json }
      await leavesOne(person, tenant.session, 200, patch, { action: 'workspace.update', target, before, after: json })
      await leavesNone(tenant.session, 200, patch)
    }

    const operator: Actor = { type: 'operator', id: null, email: null, name: null }
    const path = `/api/v1/operator/workspaces/${target}`
    const token = system().client.withOperatorToken()
    const controls = { method: 'PATCH', path, json: { suspended: true, note: 'A secret of the operator' } }
    await leavesOne(operator, token, 200, controls, {
      action: 'workspace.control',
      target,
      before: { suspended: false },
      after: { suspended: true },
    })
    const [entry] = (await listAsOperator(`workspace=${target}&action=workspace.control&limit=1`)).data
    assert.deepEqual([entry?.workspace, entry?.after], [target, controls.json])
    const resume = { method: 'PATCH', path, json: { suspended: false } }
    const resumed = { action: 'workspace.control', target, before: { suspended: true }, after: resume.json }
    await leavesOne(operator, token, 200, resume, resumed)
    const limits = { method: 'PATCH', path, json: { limits: { monthly: 7_000 } } }
    const limited = { action: 'workspace.limits', target, before: { monthly: null }, after: { monthly: 7_000 } }
    await leavesOne(operator, token, 200, limits, limited)
    await leavesNone(token, 200, limits)
  })

  it('has one entry for each change by a key, and none for a send', async () => {
    const { caller, actor } = await keyOfTenant(['emails:send', 'templates:write', 'domains:write'])
    const parts = { name: 'Welcome', subject: 'Hi {{name}}' }
    const template = { path: '/api/v1/templates', json: { ...parts, text_body: 'Hello {{name}}' } }
    await leavesOne<TemplateRecord>(actor, caller, 201, template, {
      action: 'template.create',
      before: null,
      after: { ...parts, variables: ['name'], version: 1 },
    })

    const scheduled = { path: '/api/v1/emails', json: rawMail({ scheduled_at: 'PT1H' }) }
    const { body: email, entries } = await entriesOf<EmailRecord>(caller, 202, scheduled)
    assert.deepEqual(entries, [])
    const cancel = { method: 'POST', path: `/api/v1/emails/${email.id}/cancel` }
    const canceled = { action: 'email.cancel', before: { status: 'scheduled' }, after: { status: 'canceled' } }
    await leavesOne<EmailRecord>(actor, caller, 200, cancel, canceled)
    await leavesNone(caller, 200, cancel)

    const name = freshDomain()
    const created = { name, status: 'pending', subdomains: true }
    const add = { path: '/api/v1/domains', json: { name } }
    const domain = await leavesOne<DomainRecord>(actor, caller, 201, add, {
      action: 'domain.create',
      before: null,
      after: created,
    })
    const path = `/api/v1/domains/${domain.id}`
    const patch = { method: 'PATCH', path, json: { subdomains: false } }
    const patched = { action: 'domain.update', before: { subdomains: true }, after: { subdomains: false } }
    await leavesOne<DomainRecord>(actor, caller, 200, patch, patched)
    await leavesNone(caller, 200, patch)
    await leavesOne(
      actor,
      caller,
      204,
      { method: 'DELETE', path },
      {
        action: 'domain.delete',
        target: domain.id,
        before: { ...created, subdomains: false },
        after: null,
      },
    )
    await leavesNone(caller, 404, { method: 'DELETE', path })
  })

  it('has logins, logouts and refused logins', async () => {
    const { client } = system()
    const { user } = tenant.session.record
    const headers = { 'x-forwarded-for': address }
    const logIn = (secret: string) =>
      client.call<never>({ path: '/api/v1/auth/login', json: { email: tenant.email, password: secret }, headers })
    const opened = await logIn(password)
    assert.equal(opened.status, 200, opened.text)
    assert.equal(
      (await client.session(opened).call({ method: 'POST', path: '/api/v1/auth/logout', headers })).status,
      204,
    )
    assertProblem(await logIn('not the right password'), 401, 'unauthenticated')
    // It is written after the response.
    await until('the refusal is in the log', async () => (await list('action=session.refuse')).data[0])
    const { data } = await list('action=session.*')
    assert.deepEqual(
      data.slice(0, 3).map(({ action, actor, target, client_address }) => [action, actor.id, target, client_address]),
      ['session.refuse', 'session.close', 'session.open'].map((action) => [action, user.id, user.id, address]),
    )
  })

  it('contains no passwords, keys and tokens', async () => {
    const made = await tenant.makeKey({ name: 'Secret' })
    const { cookie, record } = tenant.session
    const lines = JSON.stringify([
      (await list()).data,
      (await listAsOperator(`${newest}&workspace=${tenant.workspace.id}`)).data,
    ])
    assert.ok(lines.includes(made.record.id))
    const keys = [made.key, tenant.api.key].flatMap((key) => [key, key.slice('pr_live_'.length), key.slice(-12)])
    for (const secret of [...keys, password, cookie.split('=')[1] ?? '', record.csrf_token, 'argon2'])
      assert.ok(!lines.includes(secret), secret)
  })

  it('is listed newest first in pages that later entries do not change', async () => {
    const { data: all } = await list()
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: ListRecord<AuditRecord> = await list(`limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.data.map(({ id }) => id))
      if (seen.length === 3) await tenant.makeKey({ name: 'Later' })
      assert.equal(page.has_more, page.next_cursor !== null)
      cursor = page.next_cursor
    }
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    )
    const times = all.map(({ created_at }) => created_at)
    assert.deepEqual(times, times.toSorted().reverse())
  })

  it('is filtered by actor, action and time', async () => {
    const { data: all } = await list()
    const ids = (entries: readonly AuditRecord[]) => entries.map(({ id }) => id)
    const middle = all[Math.floor(all.length / 2)] ?? assert.fail('no entries')
    const filters: [query: string, (entry: AuditRecord) => boolean][] = [
      [`actor=${person.id}`, ({ actor }) => actor.id === person.id],
      ['actor=key', ({ actor }) => actor.type === 'key'],
      ['actor=operator', ({ actor }) => actor.type === 'operator'],
      ['action=key.create', ({ action }) => action === 'key.create'],
      ['action=workspace.*', ({ action }) => action.startsWith('workspace.')],
      [`created_after=${middle.created_at}`, ({ created_at }) => created_at > middle.created_at],
      [`created_before=${middle.created_at}`, ({ created_at }) => created_at < middle.created_at],
      ['actor=user&action=email.cancel', () => false],
    ]
    for (const [query, matches] of filters)
      assert.deepEqual(ids((await list(`${newest}&${query}`)).data), ids(all.filter(matches)), query)

    const { next_cursor } = await list('limit=1&action=key.*')
    const other = await tenant.session.call({ path: `/api/v1/audit-log?limit=1&cursor=${next_cursor}` })
    assertProblem(other, 400, 'malformed_request')
    for (const query of [
      'actor=a%20b',
      'action=key',
      'action=*',
      'action=typo',
      'action=key.typo',
      'created_after=yesterday',
      'limit=0',
      'workspace=ws_1',
    ]) {
      const response = await tenant.session.call({ path: `/api/v1/audit-log?${query}` })
      assertProblem(response, 400, 'malformed_request')
    }
  })

  it('is read with a session of the workspace, and by the operator', async () => {
    const path = '/api/v1/audit-log'
    assertProblem(await tenant.api.call({ path }), 403, 'session_required')
    assertProblem(await system().client.call({ path }), 401, 'unauthenticated')
    assertProblem(await tenant.session.call({ path: '/api/v1/operator/audit-log' }), 401, 'unauthenticated')
    for (const method of ['POST', 'PATCH', 'DELETE'])
      assertProblem(await tenant.session.call({ method, path }), 405, 'method_not_allowed')

    const stranger = await system().client.tenant()
    const [own, theirs] = [(await list()).data, (await list(newest, stranger.session)).data]
    assert.ok(theirs.length > 0)
    const ids = new Set(own.map(({ id }) => id))
    assert.ok(theirs.every(({ id }) => !ids.has(id)))
    const asOperator = await listAsOperator(`${newest}&workspace=${stranger.workspace.id}`)
    assert.deepEqual(
      asOperator.data.map(({ id }) => id),
      theirs.map(({ id }) => id),
    )
    const workspaces = new Set((await listAsOperator(newest)).data.map(({ workspace }) => workspace))
    assert.ok(workspaces.has(stranger.workspace.id) && workspaces.has(tenant.workspace.id))
  })
})
