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
import { isAtLeast, type Role, roles, scopesOfRole } from '@postrider/domain/accounts/roles.ts'
import { openapiDocument } from '@postrider/gateway/openapi.ts'
import { routes } from '@postrider/gateway/routes/routes.ts'
import {
  aCaller,
  aKey,
  config,
  type Fakes,
  refusing,
  type TestGateway,
  testGateway,
} from '@postrider/gateway/testGateway.ts'
import { accessTable, type DocumentedOperation, operationsOf, pathWith, rowOf } from '../support/accessTable.ts'

const operations = operationsOf(JSON.parse(JSON.stringify(openapiDocument(routes))))

/** Returns a service whose methods all refuse: the request has passed the access check. */
const reached = <Service extends object>({ methods }: { methods: object }): Service =>
  Object.fromEntries(Object.keys(methods).map((name) => [name, refusing('conflict', 'reached')])) as Service

type KeyRights = { scopes: readonly string[]; mode: 'live' | 'test' }

/** Sessions are named by their role, and every key has the scopes and the mode that `rights` returns. */
const openGateway = (rights: () => KeyRights): Promise<TestGateway> => {
  const accounts: Fakes['accounts'] = {
    ...reached(accountsSpec),
    AuthenticateKey: async () => {
      const { scopes: given, mode } = rights()
      return aCaller({ scopes: [...given], mode })
    },
    AuthenticateSession: async ({ token }) => ({
      token: '',
      csrf_token: 'csrf',
      email: 'jane@x.example',
      caller: aCaller({ key_id: '', user_id: 'usr_1', role: token, scopes: scopesOfRole(token as Role) }),
    }),
  }
  return testGateway({
    accounts,
    templates: reached(templatesSpec),
    domains: reached(domainsSpec),
    webhooks: reached(webhooksSpec),
    quota: reached(quotaSpec),
    intake: reached(intakeSpec),
    // The cached look-up of a key would outlive the row.
    config: { limits: { ...config.limits, keyCacheMs: 0 } },
  })
}

type Credentials = Record<string, string>

const withKey = (mode: 'live' | 'test'): Credentials => ({ authorization: `Bearer ${aKey(mode)}` })
const withSession = (role: Role): Credentials => ({ cookie: `sid=${role}`, 'x-csrf-token': 'csrf' })
const withOperatorToken: Credentials = { authorization: `Bearer ${config.operatorToken}` }

/** Returns `passed`, or status and code of the refusal. */
const outcomeOf = async (
  gateway: TestGateway,
  operation: DocumentedOperation,
  headers: Credentials,
): Promise<string> => {
  const { method, body: json } = operation
  const path = pathWith(operation, 'em_01h2xcejqtf2nbrexx3vqjhp41')
  const { status, body } = await gateway.call({ method, path, headers, ...(json === undefined ? {} : { json }) })
  return status === 200 || body.detail === 'reached' ? 'passed' : `${status} ${body.code}`
}

describe('access matrix', () => {
  const noRights: KeyRights = { scopes: [], mode: 'live' }
  let key = noRights
  let opened: TestGateway | null = null
  const gateway = (): TestGateway => opened ?? assert.fail('the gateway is only available inside tests')

  // One for all tests, because each gateway makes the documentation at the first request for it.
  before(async () => {
    opened = await openGateway(() => key)
  })
  beforeEach(() => {
    key = noRights
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('has a row for every operation of the OpenAPI document, and no others', () => {
    assert.deepEqual(operations.map(({ name }) => name).toSorted(), Object.keys(accessTable).toSorted())
  })

  it('equals the access that the OpenAPI document states', () => {
    for (const operation of operations) {
      const row = rowOf(operation)
      const stated = { scopes: operation.access.scopes, roles: operation.access.roles }
      const expected =
        typeof row === 'string'
          ? { scopes: [], roles: [] }
          : { scopes: [...row.scopes], roles: roles.filter((role) => isAtLeast(role, row.least)) }
      assert.deepEqual(stated, expected, operation.name)
    }
  })

  const keyOutcome = (operation: DocumentedOperation, given: readonly string[], mode: 'live' | 'test'): string => {
    const row = rowOf(operation)
    if (row === 'open') return 'passed'
    if (row === 'operator') return '401 unauthenticated'
    if (row.scopes.length === 0) return '403 session_required'
    if (!row.scopes.some((scope) => given.includes(scope))) return '403 insufficient_scope'
    return row.keys === 'test' && mode === 'live' ? '403 forbidden' : 'passed'
  }

  for (const mode of ['live', 'test'] as const)
    for (const given of [[], ...scopes.map((scope) => [scope]), [...scopes]])
      it(`admits a ${mode} key with ${given.length === scopes.length ? 'every scope' : (given[0] ?? 'no scope')} exactly where the table does`, async () => {
        key = { scopes: given, mode }
        for (const operation of operations)
          assert.equal(
            await outcomeOf(gateway(), operation, withKey(mode)),
            keyOutcome(operation, given, mode),
            operation.name,
          )
      })

  const roleOutcome = (operation: DocumentedOperation, role: Role): string => {
    const row = rowOf(operation)
    if (row === 'open') return 'passed'
    if (row === 'operator') return '401 unauthenticated'
    if (isAtLeast(role, row.least)) return 'passed'
    return row.scopes.length === 0 ? '403 forbidden' : '403 insufficient_scope'
  }

  for (const role of roles)
    it(`admits a session of the role ${role} exactly where the table does`, async () => {
      for (const operation of operations)
        assert.equal(
          await outcomeOf(gateway(), operation, withSession(role)),
          roleOutcome(operation, role),
          operation.name,
        )
    })

  it('admits no session whose role is unknown', async () => {
    for (const operation of operations) {
      const outcome = await outcomeOf(gateway(), operation, withSession('root' as Role))
      const row = rowOf(operation)
      if (typeof row !== 'string') assert.match(outcome, /^403 /, operation.name)
    }
  })

  it('admits the operator’s token to the operator’s operations and those of everyone', async () => {
    for (const operation of operations) {
      const expected = typeof rowOf(operation) === 'string' ? 'passed' : '401 unauthenticated'
      assert.equal(await outcomeOf(gateway(), operation, withOperatorToken), expected, operation.name)
    }
  })

  it('admits a request without credentials to the operations of everyone only', async () => {
    for (const operation of operations) {
      const expected = rowOf(operation) === 'open' ? 'passed' : '401 unauthenticated'
      assert.equal(await outcomeOf(gateway(), operation, {}), expected, operation.name)
    }
  })

  it('admits no change by session without the token of its page', async () => {
    for (const operation of operations) {
      const row = rowOf(operation)
      if (typeof row === 'string' || operation.method === 'GET') continue
      assert.equal(await outcomeOf(gateway(), operation, { cookie: 'sid=owner' }), '403 csrf', operation.name)
    }
  })
})
