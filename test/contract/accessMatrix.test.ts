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
import { openapiDocument } from '@postrider/gateway/openapi/openapi.ts'
import { routes } from '@postrider/gateway/routes/routes.ts'
import {
  aCaller,
  aKey,
  aPerson,
  config,
  type Fakes,
  refusing,
  type TestGateway,
  testGateway,
} from '@postrider/gateway/testGateway.ts'
import {
  accessTable,
  type DocumentedOperation,
  isOperators,
  operationsOf,
  pathWith,
  rowOf,
} from '../support/accessTable.ts'

const operations = operationsOf(JSON.parse(JSON.stringify(openapiDocument(routes))))

/** Returns a service whose methods all refuse: the request has passed the access check. */
const reached = <Service extends object>({ methods }: { methods: object }): Service =>
  Object.fromEntries(Object.keys(methods).map((name) => [name, refusing('conflict', 'reached')])) as Service

/** What a session shows of an operator. */
type OperatorParts = { operator?: boolean; totp_enabled?: boolean; totp_passed?: boolean }

type Rights = { scopes: readonly string[]; mode: 'live' | 'test'; person?: OperatorParts }

/**
 * Sessions are named by their role. Every key has the scopes and the mode that `rights` returns, every session its
 * `person`.
 */
const openGateway = (rights: () => Rights): Promise<TestGateway> => {
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
      ...rights().person,
      caller: aPerson({ role: token as Role, scopes: scopesOfRole(token as Role) }),
    }),
  }
  return testGateway({
    keepAlive: true,
    accounts,
    templates: reached(templatesSpec),
    domains: reached(domainsSpec),
    webhooks: reached(webhooksSpec),
    quota: reached(quotaSpec),
    intake: reached(intakeSpec),
    // The cached lookup of a key would outlive the row.
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
  const noRights: Rights = { scopes: [], mode: 'live' }
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

  it('has exactly one row for every operation of the OpenAPI document', () => {
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
    if (isOperators(row)) return '401 unauthenticated'
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
    if (isOperators(row)) return '401 unauthenticated'
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

  const operator = { operator: true, totp_enabled: true, totp_passed: true }

  /** Returns the outcome for a viewer who is an operator too. */
  const operatorOutcome = (operation: DocumentedOperation): string => {
    const row = rowOf(operation)
    if (row === 'operator token') return '403 forbidden'
    return row === 'operator' ? 'passed' : roleOutcome(operation, 'viewer')
  }

  it('admits a session of an operator to the operator’s operations, and else by its role', async () => {
    key = { ...noRights, person: operator }
    for (const operation of operations)
      assert.equal(
        await outcomeOf(gateway(), operation, withSession('viewer')),
        operatorOutcome(operation),
        operation.name,
      )
  })

  for (const [name, person] of [
    ['who has no second factor', { operator: true, totp_enabled: false, totp_passed: false }],
    ['that did not pass the second factor', { operator: true, totp_enabled: true, totp_passed: false }],
    ['as an accounts service without the second factor of sessions shows it', { operator: true, totp_enabled: true }],
  ] as const)
    it(`refuses the operator’s operations to a session of an operator ${name}`, async () => {
      key = { ...noRights, person }
      for (const operation of operations.filter((one) => isOperators(rowOf(one))))
        assert.equal(await outcomeOf(gateway(), operation, withSession('owner')), '403 forbidden', operation.name)
    })

  it('admits no key of an operator, even with the cookie of the session', async () => {
    key = { scopes, mode: 'live', person: operator }
    for (const operation of operations.filter((one) => isOperators(rowOf(one)))) {
      const both = { ...withSession('owner'), ...withKey('live') }
      for (const headers of [withKey('live'), both])
        assert.equal(await outcomeOf(gateway(), operation, headers), '401 unauthenticated', operation.name)
    }
  })

  it('admits no change by a session of an operator without the token of its page, or from another site', async () => {
    key = { ...noRights, person: operator }
    const changes = operations.filter((one) => isOperators(rowOf(one)) && one.method !== 'GET')
    assert.ok(changes.length > 5)
    for (const operation of changes)
      for (const headers of [
        { cookie: 'sid=owner' },
        { ...withSession('owner'), 'x-csrf-token': 'other' },
        { ...withSession('owner'), origin: 'https://evil.example' },
        { ...withSession('owner'), 'sec-fetch-site': 'cross-site' },
      ])
        assert.equal(await outcomeOf(gateway(), operation, headers), '403 csrf', operation.name)
  })

  it('treats a session of another user, with or without its token, as a request without credentials', async () => {
    key = { ...noRights, person: { totp_enabled: true, totp_passed: true } }
    for (const operation of operations.filter((one) => isOperators(rowOf(one)))) {
      const { method, body: json } = operation
      const path = pathWith(operation, 'em_01h2xcejqtf2nbrexx3vqjhp41')
      const respond = async (headers: Credentials) => {
        const { status, body } = await gateway().call({
          method,
          path,
          headers,
          ...(json === undefined ? {} : { json }),
        })
        return { ...body, status, request_id: '' }
      }
      const stranger = await respond({})
      assert.equal(stranger.status, 401)
      for (const headers of [withSession('owner'), { cookie: 'sid=owner' }])
        assert.deepEqual(await respond(headers), stranger, operation.name)
    }
  })

  it('admits no session whose role is unknown', async () => {
    for (const operation of operations) {
      const outcome = await outcomeOf(gateway(), operation, withSession('root' as Role))
      const row = rowOf(operation)
      if (typeof row !== 'string') assert.match(outcome, /^403 /, operation.name)
    }
  })

  it('admits the operator’s token to the operator’s operations and to public ones', async () => {
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
