import assert from 'node:assert/strict'
import {
  accountsSpec,
  domainsSpec,
  intakeSpec,
  quotaSpec,
  templatesSpec,
  webhooksSpec,
} from '@postrider/contracts/services.ts'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import { type Role, roles, scopesOfRole } from '@postrider/domain/accounts/roles.ts'
import { openapiDocument } from '@postrider/gateway/openapi/openapi.ts'
import { routes } from '@postrider/gateway/routes/routes.ts'
import {
  aCaller,
  aKey,
  aPerson,
  type Fakes,
  refusing,
  type TestGateway,
  testGateway,
} from '@postrider/gateway/testGateway.ts'
import { type DocumentedOperation, operationsOf, pathWith, rowOf } from '../support/accessTable.ts'

const operations = operationsOf(JSON.parse(JSON.stringify(openapiDocument(routes))))

/** The operations that a member without a second factor may call in a workspace that requires one. */
const allowedWithoutTotp: readonly string[] = [
  'POST /api/v1/auth/logout',
  'GET /api/v1/auth/session',
  'POST /api/v1/auth/session',
  'POST /api/v1/auth/email',
  'POST /api/v1/auth/email/resend',
  'POST /api/v1/auth/password',
  'POST /api/v1/auth/totp',
  'DELETE /api/v1/auth/totp',
  'POST /api/v1/auth/totp/confirm',
  'GET /api/v1/auth/sessions',
  'DELETE /api/v1/auth/sessions',
  'DELETE /api/v1/auth/sessions/{id}',
  'GET /api/v1/workspaces',
  'POST /api/v1/workspaces',
  'POST /api/v1/workspaces/{id}/leave',
]

const reached = <Service extends object>({ methods }: { methods: object }): Service =>
  Object.fromEntries(Object.keys(methods).map((name) => [name, refusing('conflict', 'reached')])) as Service

/** Every session lacks the second factor that its workspace requires; it is named by its role. */
const openGateway = (): Promise<TestGateway> => {
  const accounts: Fakes['accounts'] = {
    ...reached(accountsSpec),
    AuthenticateKey: async () => aCaller({ scopes: [...scopes], mode: 'test' }),
    AuthenticateSession: async ({ token }) => ({
      token: '',
      csrf_token: 'csrf',
      email: 'jane@x.example',
      caller: aPerson({ role: token as Role, scopes: scopesOfRole(token as Role), needsTotp: true }),
    }),
  }
  return testGateway({
    accounts,
    templates: reached(templatesSpec),
    domains: reached(domainsSpec),
    quota: reached(quotaSpec),
    intake: reached(intakeSpec),
    webhooks: reached(webhooksSpec),
  })
}

const send = (gateway: TestGateway, operation: DocumentedOperation, headers: Record<string, string>) => {
  const { method, body: json } = operation
  const path = pathWith(operation, 'em_01h2xcejqtf2nbrexx3vqjhp41')
  return gateway.call({ method, path, headers, ...(json === undefined ? {} : { json }) })
}

describe('required second factor', () => {
  it('names only operations that exist as the way out', () => {
    const names = operations.map(({ name }) => name)
    assert.deepEqual(
      allowedWithoutTotp.filter((name) => !names.includes(name)),
      [],
    )
  })

  for (const role of roles)
    it(`refuses a session of the role ${role} everything but the way out, with what to do`, async () => {
      await using gateway = await openGateway()
      for (const operation of operations) {
        const row = rowOf(operation)
        if (typeof row === 'string') continue
        const headers = { cookie: `sid=${role}`, 'x-csrf-token': 'csrf' }
        const { status, body } = await send(gateway, operation, headers)
        if (allowedWithoutTotp.includes(operation.name)) {
          assert.ok(status === 200 || body.detail === 'reached', `${operation.name}: ${status} ${body.detail}`)
          continue
        }
        const seen = [status, body.code, body.errors?.map(({ code }: { code: string }) => code)]
        assert.deepEqual(seen, [403, 'forbidden', ['totp_required']], operation.name)
        assert.match(body.detail ?? '', /requires two-factor authentication.*POST \/api\/v1\/auth\/totp/)
      }
    })

  it('accepts API keys where members need a second factor', async () => {
    await using gateway = await openGateway()
    for (const operation of operations) {
      const row = rowOf(operation)
      if (typeof row === 'string' || row.scopes.length === 0) continue
      const { status, body } = await send(gateway, operation, { authorization: `Bearer ${aKey('test')}` })
      assert.ok(status === 200 || body.detail === 'reached', `${operation.name}: ${status} ${body.detail}`)
    }
  })
})
