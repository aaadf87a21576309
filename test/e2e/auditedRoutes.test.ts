import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { operationsOf } from '../support/accessTable.ts'
import { type Caller, fresh, freshDomain, password, rawMail, type Session, type Tenant } from '../support/client.ts'
import { type DeliveryRecord, startHook } from '../support/hooks.ts'
import type { Call, HttpResponse } from '../support/http.ts'
import { operatorsPath, operatorUser, securedColleague } from '../support/operatorUser.ts'
import { parkEmail, parkedPath } from '../support/parkEmail.ts'
import { accepting, colleague, invitations, invite } from '../support/people.ts'
import type { AuditRecord, DomainRecord, EmailRecord, ListRecord, SessionRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type WithId = { id: string }
/**
 * A request that changes something. `about`: an id in its entry, as workspace, actor or target; absent: that of the
 * response.
 */
type Change = { by: Caller; call: Call; about?: string }
/** The entry that a change leaves, or why the operation leaves none. */
type Row = { leaves: string; make(): Promise<Change> } | { leavesNone: string }

const auth = '/api/v1/auth'
const workspaces = '/api/v1/operator/workspaces'
const next = 'another horse battery staple'

/** Each operation that may change something and each entry that it leaves; a new operation without a row fails. */
describe('audit log of every operation', () => {
  const system = useSystem()
  let tenant: Tenant
  let operator: Caller
  /** Texts that no entry may have. */
  const secrets = new Set([password, next])
  const hooks = new AsyncDisposableStack()
  before(async () => {
    tenant = await system().client.tenant()
    operator = system().client.withOperatorToken()
    secrets.add(tenant.api.key)
  })
  after(() => hooks.disposeAsync())

  const body = async <T>(by: Caller, call: Call): Promise<T> => {
    const response = await by.call<T>(call)
    assert.ok(response.status < 300, `${call.path}: ${response.text}`)
    return response.body
  }
  const secret = (text: string): string => {
    secrets.add(text)
    return text
  }
  const tokenIn = async (address: string, subject: string): Promise<string> => {
    const { receiver } = system()
    const { mail } = await until(`the mail "${subject}"`, () =>
      receiver.to(address).find((one) => one.mail.subject === subject),
    )
    return secret(/token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? assert.fail(mail.text))
  }
  const headers = { 'x-forwarded-for': '198.51.100.78' }
  /** A person with a workspace of their own. */
  const person = async (): Promise<{ email: string; session: Session; id: string; workspace: string }> => {
    const email = fresh('person')
    const response = await system().client.signUp({ email })
    assert.equal(response.status, 201, response.text)
    const session = system().client.session(response)
    return { email, session, id: response.body.user.id, workspace: response.body.workspace.id }
  }
  const logIn = async (email: string): Promise<Session> => {
    const call = { path: `${auth}/login`, json: { email, password }, headers }
    const response = await system().client.call<SessionRecord>(call)
    assert.equal(response.status, 200, response.text)
    return system().client.session(response)
  }
  const open = (call: Call): Change => ({ by: system().client, call: { ...call, headers } })
  const own = (call: Call): Change => ({ by: tenant.session, call })
  const newDomain = () => body<DomainRecord>(tenant.session, { path: '/api/v1/domains', json: { name: freshDomain() } })
  const newKey = async () => {
    const { key, record } = await tenant.makeKey()
    secret(key)
    return `/api/v1/api-keys/${record.id}`
  }
  const invitation = () =>
    body<WithId>(tenant.session, { path: invitations, json: { email: fresh('invited'), role: 'viewer' } })
  const ofKey = async (call: Call): Promise<Change> => {
    const path = await newKey()
    return { ...own({ ...call, path: path + call.path }), about: path.split('/').at(-1) ?? '' }
  }
  const ofInvitation = async (call: Call): Promise<Change> => {
    const { id } = await invitation()
    return { ...own({ ...call, path: `${invitations}/${id}${call.path}` }), about: id }
  }
  const ofDomain = async (call: Call): Promise<Change> => {
    const { id } = await newDomain()
    return { ...own({ ...call, path: `/api/v1/domains/${id}${call.path}` }), about: id }
  }
  const newHook = async () => {
    const hook = hooks.use(await startHook(tenant.session))
    secret(hook.secret)
    return hook
  }
  const ofHook = async (call: Call): Promise<Change> => {
    const { id: about, path } = await newHook()
    return { ...own({ ...call, path: path + call.path }), about }
  }
  const ofMember = async (call: Call): Promise<Change> => {
    const { id, email, session } = await person()
    const token = secret(await invite(system(), session, fresh('member'), 'member'))
    const joined = await body<SessionRecord>(system().client, { path: accepting, json: { token, password }, headers })
    assert.notEqual(joined.user.email, email)
    const about = joined.user.id
    assert.notEqual(about, id)
    return { by: session, about, call: { ...call, path: `/api/v1/members/${about}${call.path}` } }
  }
  const ofWorkspace = async (call: Call): Promise<Change> => {
    const { workspace } = await person()
    return { by: operator, about: workspace, call: { ...call, path: `${workspaces}/${workspace}${call.path}` } }
  }
  const ofParkedEmail = async (decision: string): Promise<Change> => {
    const { body: email } = await tenant.send(rawMail({ scheduled_at: 'PT1H' }))
    await parkEmail(system(), email.id)
    return { by: operator, call: { method: 'POST', path: `${parkedPath}/${email.id}/${decision}` } }
  }
  const withTotp = async () => {
    const { session, id } = await person()
    const call = { method: 'POST', path: `${auth}/totp` }
    const started = await body<{ secret: string }>(session, call)
    return { session, id, code: new TOTP({ secret: secret(started.secret) }).generate() }
  }

  const noChange = { leavesNone: 'it changes nothing that is stored' }
  const onlyMails = { leavesNone: 'it emails a link; its use leaves an entry' }

  const rows: Record<string, Row> = {
    'POST /api/v1/emails': { leavesNone: 'a send has its own record' },
    'POST /api/v1/emails/batch': { leavesNone: 'a send has its own record' },
    'POST /api/v1/emails/validate': noChange,
    'PATCH /api/v1/emails/{id}': {
      leaves: 'email.reschedule',
      make: async () => {
        const call = { path: '/api/v1/emails', json: rawMail({ scheduled_at: 'PT1H' }) }
        const { id } = await body<EmailRecord>(tenant.session, call)
        return own({ method: 'PATCH', path: `/api/v1/emails/${id}`, json: { scheduled_at: 'PT2H' } })
      },
    },
    'POST /api/v1/emails/{id}/cancel': {
      leaves: 'email.cancel',
      make: async () => {
        const call = { path: '/api/v1/emails', json: rawMail({ scheduled_at: 'PT1H' }) }
        const { id } = await body<EmailRecord>(tenant.session, call)
        return own({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })
      },
    },
    'POST /api/v1/emails/{id}/resolve': { leavesNone: 'only mail whose reply was lost can be resolved' },
    'POST /api/v1/test/clock': {
      leaves: 'test_clock.move',
      make: async () => ({
        ...own({ path: '/api/v1/test/clock', json: { advance: 60 } }),
        about: tenant.session.record.workspace.id,
      }),
    },
    'POST /api/v1/templates': {
      leaves: 'template.create',
      make: async () =>
        own({ path: '/api/v1/templates', json: { name: fresh('template'), subject: 'Hi', text_body: 'Hi' } }),
    },
    'PATCH /api/v1/templates/{id}': {
      leaves: 'template.update',
      make: async () => {
        const { id } = await tenant.template({ text_body: 'Hi' })
        return own({ method: 'PATCH', path: `/api/v1/templates/${id}`, json: { text_body: 'Hello' } })
      },
    },
    'DELETE /api/v1/templates/{id}': {
      leaves: 'template.delete',
      make: async () => {
        const { id: about } = await tenant.template({ text_body: 'Hi' })
        return { ...own({ method: 'DELETE', path: `/api/v1/templates/${about}` }), about }
      },
    },
    'POST /api/v1/templates/{id}/restore': {
      leaves: 'template.restore',
      make: async () => {
        const { id } = await tenant.template({ text_body: 'Hi' })
        const path = `/api/v1/templates/${id}`
        await body(tenant.session, { method: 'PATCH', path, json: { text_body: 'Hello' } })
        return own({ path: `${path}/restore`, json: { version: 1 } })
      },
    },
    'POST /api/v1/templates/{id}/preview': noChange,
    'POST /api/v1/templates/preview': noChange,
    'POST /api/v1/domains': {
      leaves: 'domain.create',
      make: async () => own({ path: '/api/v1/domains', json: { name: freshDomain() } }),
    },
    'PATCH /api/v1/domains/{id}': {
      leaves: 'domain.update',
      make: () => ofDomain({ method: 'PATCH', path: '', json: { subdomains: false } }),
    },
    'DELETE /api/v1/domains/{id}': { leaves: 'domain.delete', make: () => ofDomain({ method: 'DELETE', path: '' }) },
    'POST /api/v1/domains/{id}/verify': { leavesNone: 'a check has an entry if its result is another one' },
    'POST /api/v1/domains/{id}/rotate-key': { leavesNone: 'only keys of a verified domain are rotated' },
    'POST /api/v1/webhooks': {
      leaves: 'webhook.create',
      make: async () => own({ path: '/api/v1/webhooks', json: { url: 'https://example.com/hooks' } }),
    },
    'PATCH /api/v1/webhooks/{id}': {
      leaves: 'webhook.update',
      make: () => ofHook({ method: 'PATCH', path: '', json: { description: 'Orders' } }),
    },
    'DELETE /api/v1/webhooks/{id}': { leaves: 'webhook.delete', make: () => ofHook({ method: 'DELETE', path: '' }) },
    'POST /api/v1/webhooks/{id}/test': {
      leaves: 'webhook.test',
      make: () => ofHook({ method: 'POST', path: '/test' }),
    },
    'POST /api/v1/webhooks/{id}/rotate-secret': {
      leaves: 'webhook.rotate_secret',
      make: () => ofHook({ method: 'POST', path: '/rotate-secret' }),
    },
    'POST /api/v1/webhooks/{id}/replay': {
      leaves: 'webhook.replay',
      make: () => ofHook({ path: '/replay', json: { from: new Date(Date.now() - 60_000).toISOString() } }),
    },
    'POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': {
      leaves: 'webhook.redeliver',
      make: async () => {
        const { id: about, path, delivery } = await newHook()
        const sent = await body<DeliveryRecord>(tenant.session, { method: 'POST', path: `${path}/test` })
        await delivery(sent.event_id, ({ status }) => status === 'delivered')
        return { ...own({ method: 'POST', path: `${path}/deliveries/${sent.id}/redeliver` }), about }
      },
    },
    'POST /api/v1/billing/plan': {
      leaves: 'plan.update',
      make: async () => {
        const { session, workspace } = await person()
        return { by: session, about: workspace, call: { path: '/api/v1/billing/plan', json: { plan: 'pro' } } }
      },
    },
    'POST /api/v1/billing/invoices/{id}/pay': noChange,
    'POST /api/v1/billing/portal': noChange,
    'POST /api/v1/auth/signup': {
      leaves: 'workspace.create',
      make: async () => {
        const json = { email: fresh('new'), password, workspace_name: 'Acme' }
        return open({ path: `${auth}/signup`, json })
      },
    },
    'POST /api/v1/auth/login': {
      leaves: 'session.open',
      make: async () => {
        const { email, id: about } = await person()
        return { ...open({ path: `${auth}/login`, json: { email, password } }), about }
      },
    },
    'POST /api/v1/auth/logout': {
      leaves: 'session.close',
      make: async () => {
        const { session: by, id: about } = await person()
        return { by, about, call: { method: 'POST', path: `${auth}/logout` } }
      },
    },
    'POST /api/v1/auth/session': {
      leaves: 'session.switch',
      make: async () => {
        const { session: by, id: about } = await person()
        const other = await body<WithId>(by, { path: '/api/v1/workspaces', json: { name: 'Labs' }, headers })
        return { by, about, call: { path: `${auth}/session`, json: { workspace: other.id } } }
      },
    },
    'POST /api/v1/auth/invitations/accept': {
      leaves: 'invitation.accept',
      make: async () => {
        const token = secret(await invite(system(), tenant.session, fresh('invited'), 'viewer'))
        return open({ path: accepting, json: { token, password } })
      },
    },
    'POST /api/v1/auth/email': onlyMails,
    'POST /api/v1/auth/email/resend': onlyMails,
    'POST /api/v1/auth/password-reset': onlyMails,
    'POST /api/v1/auth/email/confirm': {
      leaves: 'user.confirm_email',
      make: async () => {
        const { email, id: about } = await person()
        const token = await tokenIn(email, 'Confirm your email address')
        return { ...open({ path: `${auth}/email/confirm`, json: { token } }), about }
      },
    },
    'POST /api/v1/auth/password': {
      leaves: 'user.change_password',
      make: async () => {
        const { session: by, id: about } = await person()
        return { by, about, call: { path: `${auth}/password`, json: { current: password, password: next } } }
      },
    },
    'POST /api/v1/auth/password-reset/confirm': {
      leaves: 'user.reset_password',
      make: async () => {
        const { email, id: about } = await person()
        await body(system().client, { path: `${auth}/password-reset`, json: { email }, headers })
        const token = await tokenIn(email, 'Set a new password')
        return { ...open({ path: `${auth}/password-reset/confirm`, json: { token, password: next } }), about }
      },
    },
    'POST /api/v1/auth/totp': {
      leaves: 'user.start_totp',
      make: async () => {
        const { session: by, id: about } = await person()
        return { by, about, call: { method: 'POST', path: `${auth}/totp` } }
      },
    },
    'POST /api/v1/auth/totp/confirm': {
      leaves: 'user.enable_totp',
      make: async () => {
        const { session: by, id: about, code } = await withTotp()
        return { by, about, call: { path: `${auth}/totp/confirm`, json: { code } } }
      },
    },
    'DELETE /api/v1/auth/totp': {
      leaves: 'user.disable_totp',
      make: async () => {
        const { session, id: about, code } = await withTotp()
        const enabled = await session.call<SessionRecord & { recovery_codes: string[] }>({
          path: `${auth}/totp/confirm`,
          json: { code },
        })
        assert.equal(enabled.status, 200, enabled.text)
        const [recovery = ''] = enabled.body.recovery_codes.map(secret)
        const by = system().client.session(enabled)
        return { by, about, call: { method: 'DELETE', path: `${auth}/totp`, json: { code: recovery } } }
      },
    },
    'DELETE /api/v1/auth/sessions': {
      leaves: 'session.revoke',
      make: async () => {
        const { session: by, id: about, email } = await person()
        await logIn(email)
        return { by, about, call: { method: 'DELETE', path: `${auth}/sessions` } }
      },
    },
    'DELETE /api/v1/auth/sessions/{id}': {
      leaves: 'session.revoke',
      make: async () => {
        const { session: by, email } = await person()
        await logIn(email)
        const { data } = await body<ListRecord<WithId>>(by, { path: `${auth}/sessions` })
        const about = data[1]?.id ?? assert.fail('no other session')
        return { by, about, call: { method: 'DELETE', path: `${auth}/sessions/${about}` } }
      },
    },
    'PATCH /api/v1/account/notifications': {
      leaves: 'user.update_notifications',
      make: async () => {
        const { session: by, id: about } = await person()
        const json = { quota: false, sign_in: false }
        return { by, about, call: { method: 'PATCH', path: '/api/v1/account/notifications', json } }
      },
    },
    'PATCH /api/v1/workspace': {
      leaves: 'workspace.update',
      make: async () =>
        own({ method: 'PATCH', path: '/api/v1/workspace', json: { name: fresh('name').split('@')[0] } }),
    },
    'DELETE /api/v1/workspace': {
      leaves: 'workspace.delete',
      make: async () => {
        const { session: by, workspace: about } = await person()
        return { by, about, call: { method: 'DELETE', path: '/api/v1/workspace', json: { password } } }
      },
    },
    'POST /api/v1/api-keys': {
      leaves: 'key.create',
      make: async () => own({ path: '/api/v1/api-keys', json: { name: 'k' } }),
    },
    'PATCH /api/v1/api-keys/{id}': {
      leaves: 'key.update',
      make: () => ofKey({ method: 'PATCH', path: '', json: { name: 'Other' } }),
    },
    'DELETE /api/v1/api-keys/{id}': { leaves: 'key.revoke', make: () => ofKey({ method: 'DELETE', path: '' }) },
    'POST /api/v1/api-keys/{id}/roll': { leaves: 'key.roll', make: () => ofKey({ method: 'POST', path: '/roll' }) },
    'PATCH /api/v1/members/{user_id}': {
      leaves: 'member.update',
      make: () => ofMember({ method: 'PATCH', path: '', json: { role: 'viewer' } }),
    },
    'DELETE /api/v1/members/{user_id}': {
      leaves: 'member.remove',
      make: () => ofMember({ method: 'DELETE', path: '' }),
    },
    'POST /api/v1/members/{user_id}/transfer-ownership': {
      leaves: 'workspace.transfer',
      make: () => ofMember({ method: 'POST', path: '/transfer-ownership' }),
    },
    'POST /api/v1/members/invitations': {
      leaves: 'invitation.create',
      make: async () => own({ path: invitations, json: { email: fresh('invited'), role: 'viewer' } }),
    },
    'DELETE /api/v1/members/invitations/{id}': {
      leaves: 'invitation.revoke',
      make: () => ofInvitation({ method: 'DELETE', path: '' }),
    },
    'POST /api/v1/members/invitations/{id}/resend': {
      leaves: 'invitation.resend',
      make: () => ofInvitation({ method: 'POST', path: '/resend' }),
    },
    'POST /api/v1/erasures': {
      leaves: 'erasure.create',
      make: async () => own({ path: '/api/v1/erasures', json: { address: secret(fresh('erased')) } }),
    },
    'POST /api/v1/workspaces': {
      leaves: 'workspace.create',
      make: async () => ({
        by: (await person()).session,
        call: { path: '/api/v1/workspaces', json: { name: 'Labs' }, headers },
      }),
    },
    'POST /api/v1/workspaces/{id}/leave': {
      leaves: 'member.leave',
      make: async () => {
        const { session: by, id: about } = await colleague(system(), tenant, 'viewer')
        return { by, about, call: { method: 'POST', path: `/api/v1/workspaces/${tenant.workspace.id}/leave` } }
      },
    },
    'PATCH /api/v1/operator/workspaces/{id}': {
      leaves: 'workspace.control',
      make: () => ofWorkspace({ method: 'PATCH', path: '', json: { note: 'A note' } }),
    },
    'DELETE /api/v1/operator/workspaces/{id}': {
      leaves: 'workspace.delete',
      make: () => ofWorkspace({ method: 'DELETE', path: '' }),
    },
    'POST /api/v1/operator/workspaces/{id}/restore': {
      leaves: 'workspace.restore',
      make: async () => {
        const change = await ofWorkspace({ method: 'POST', path: '/restore' })
        await body(operator, { method: 'DELETE', path: `${workspaces}/${change.about}` })
        return change
      },
    },
    'POST /api/v1/operator/workspaces/{id}/adjustments': {
      leaves: 'adjustment.create',
      make: () => ofWorkspace({ method: 'POST', path: '/adjustments', json: { amount_usd: '1.00', reason: 'A fee' } }),
    },
    'PATCH /api/v1/operator/invoices/{id}': {
      leaves: 'invoice.update',
      make: async () => {
        const { session } = await person()
        await body(session, { path: '/api/v1/billing/plan', json: { plan: 'pro' } })
        const { data } = await body<ListRecord<WithId>>(session, { path: '/api/v1/billing/invoices' })
        const path = `/api/v1/operator/invoices/${data[0]?.id}`
        return { by: operator, call: { method: 'PATCH', path, json: { status: 'paid' } } }
      },
    },
    'POST /api/v1/operator/parked/{id}/release': {
      leaves: 'email.release',
      make: () => ofParkedEmail('release'),
    },
    'POST /api/v1/operator/parked/{id}/drop': {
      leaves: 'email.drop',
      make: () => ofParkedEmail('drop'),
    },
    'POST /api/v1/operator/operators': {
      leaves: 'operator.add',
      make: async () => {
        const { email } = await securedColleague(system(), tenant)
        return { by: operator, call: { path: operatorsPath, json: { email } } }
      },
    },
    'DELETE /api/v1/operator/operators/{id}': {
      leaves: 'operator.remove',
      make: async () => {
        const { id: about } = await operatorUser(system(), tenant)
        return { by: operator, about, call: { method: 'DELETE', path: `${operatorsPath}/${about}` } }
      },
    },
    'PATCH /api/v1/operator/users/{id}': {
      leaves: 'user.disable',
      make: async () => {
        const path = `/api/v1/operator/users/${(await person()).id}`
        return { by: operator, call: { method: 'PATCH', path, json: { disabled: true, reason: 'Abuse' } } }
      },
    },
  }

  const idIn = ({ body: record }: HttpResponse<WithId | SessionRecord | undefined>): string => {
    if (record && 'id' in record) return record.id
    return record?.user.id ?? assert.fail('the response names no id')
  }

  it('has a row for every operation that may change something', async () => {
    const { body: document } = await system().client.call({ path: '/api/v1/openapi.json' })
    const changing = operationsOf(document).filter(({ method }) => method !== 'GET')
    assert.deepEqual(Object.keys(rows).toSorted(), changing.map(({ name }) => name).toSorted())
  })

  for (const [operation, row] of Object.entries(rows)) {
    if ('leavesNone' in row) continue
    it(`has one entry ${row.leaves} of ${operation}, without a secret`, async () => {
      const { by, call, about } = await row.make()
      const entriesOf = async (id: string) => {
        const path = `/api/v1/operator/audit-log?limit=100&action=${row.leaves}`
        const { data } = await body<ListRecord<AuditRecord>>(operator, { path })
        return data.filter((one) => [one.workspace, one.actor.id, one.target].includes(id))
      }
      const known = new Set((about === undefined ? [] : await entriesOf(about)).map(({ id }) => id))
      const response = await by.call<WithId | SessionRecord | undefined>(call)
      assert.ok(response.status < 300, response.text)
      const made = response.body as { key?: unknown; secret?: unknown } | undefined
      for (const one of [made?.key, made?.secret]) if (typeof one === 'string') secret(one)
      const fresh = (await entriesOf(about ?? idIn(response))).filter(({ id }) => !known.has(id))
      assert.equal(fresh.length, 1, JSON.stringify(fresh))
      const text = JSON.stringify(fresh)
      for (const one of secrets) assert.ok(!text.includes(one), `${operation} shows ${one}`)
    })
  }
})
