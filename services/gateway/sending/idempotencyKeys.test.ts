import assert from 'node:assert/strict'
import { scopesOfRole } from '@postrider/domain/accounts/roles.ts'
import { routes } from '../routes/routes.ts'
import { aPerson, config, testGateway } from '../testGateway.ts'

const owner = aPerson({ role: 'owner', scopes: [...scopesOfRole('owner')] })
const session = { token: '', csrf_token: 't1', email: 'jane@x.example', caller: owner }
const operatorToken = 'operator-token-operator-token-01'

const posts = routes.filter(({ method }) => method === 'POST')

/** Repeated requests of these have the effect of one: the key is not needed, and does no harm. */
const repeatable = [
  'POST /api/v1/emails/:id/cancel',
  'POST /api/v1/emails/validate',
  'POST /api/v1/domains/:id/verify',
  'POST /api/v1/domains/:id/rotate-key',
  'POST /api/v1/templates/:id/preview',
  'POST /api/v1/templates/preview',
]

const supporting = [
  'POST /api/v1/emails',
  'POST /api/v1/emails/batch',
  'POST /api/v1/operator/workspaces/:id/adjustments',
]

// Regression: the header was ignored, although a client of POST /emails expected a result for each message.
describe('Batch-Validation of an operation', () => {
  for (const name of ['Batch-Validation', 'X-Batch-Validation'])
    for (const [method, path] of [
      ['POST', '/api/v1/emails'],
      ['POST', '/api/v1/emails/validate'],
      ['GET', '/api/v1/emails'],
      ['DELETE', '/api/v1/api-keys/key_1'],
    ] as const)
      it(`is refused by ${method} ${path} in ${name}`, async () => {
        await using gateway = await testGateway({ accounts: { AuthenticateSession: async () => session } })
        const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1', [name]: 'permissive' }
        const { status, body } = await gateway.call({ method, path, headers, ...(method === 'POST' && { json: {} }) })
        assert.deepEqual([status, body.errors?.[0]?.path, body.errors?.[0]?.code], [400, name, 'not_supported'])
      })
})

describe('an Idempotency-Key of an operation', () => {
  // Regression: the key was ignored: a client that repeated the creation of a webhook with its key made a second one.
  for (const { path, access } of posts) {
    const operation = `POST ${path}`
    const isRefused = ![...supporting, ...repeatable].includes(operation)
    for (const name of ['Idempotency-Key', 'X-Idempotency-Key']) {
      if (supporting.includes(operation) && name !== 'Idempotency-Key') continue
      it(`is ${isRefused ? 'refused' : 'accepted'} by ${operation} in ${name}`, async () => {
        const accounts = { AuthenticateSession: async () => session }
        await using gateway = await testGateway({ accounts, config: { ...config, operatorToken } })
        const credentials =
          'operator' in access
            ? { authorization: `Bearer ${operatorToken}` }
            : { cookie: 'sid=s1', 'x-csrf-token': 't1' }
        const { status, body } = await gateway.call({
          path: path.replaceAll(/:\w+/g, 'x_1'),
          json: {},
          headers: { ...credentials, [name]: 'k' },
        })
        const refused = body.errors?.find(({ code }) => code === 'not_supported')
        if (isRefused) assert.deepEqual([status, body.code, refused?.path], [400, 'malformed_request', name])
        else assert.equal(refused, undefined)
      })
    }
  }

  it('is accepted by other methods, whose repetition has the effect of one', async () => {
    const accounts = { AuthenticateSession: async () => session, RevokeKey: async () => ({}) }
    await using gateway = await testGateway({ accounts })
    const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1', 'idempotency-key': 'k' }
    const { body } = await gateway.call({ method: 'DELETE', path: '/api/v1/api-keys/key_1', headers })
    assert.equal(body.errors?.some(({ code }) => code === 'not_supported') ?? false, false)
  })
})
