import assert from 'node:assert/strict'
import { credentials, testRig, tokenIn } from '@postrider/accounts/testRig.ts'
import { routes } from '@postrider/gateway/routes/routes.ts'
import { type TestGateway, type TestResponse, testGateway } from '@postrider/gateway/testGateway.ts'
import { TOTP } from 'otpauth'
import type { z } from 'zod'

/*
 * No password, code or token is accepted and ignored: in each situation of an operation, a wrong value is refused by
 * the real services. services/gateway/ignoredFields.test.ts has the other fields, which the gateway hands to the
 * services.
 */

type Rig = ReturnType<typeof testRig>
type Person = { token: string; csrf_token: string }
type Situation = {
  operation: string
  name: string
  /** The fields whose value is wrong or has no use here, each with such a value and the refusal. */
  refused: Readonly<Record<string, readonly [value: string, status: number, code: string]>>
  /** Returns the body of a request that succeeds without the fields that have no use, and who sends it. */
  set: (rig: Rig) => Promise<{ body: Record<string, unknown>; by?: Person }>
}

const { email, password, workspace_name } = credentials
const client = { client_address: credentials.client_address, user_agent: '' }
const other = 'grace@example.com'
const wrongPassword = 'another long password'

/** A code that has no use is refused, although a client believes that it was checked. */
const unusedCode = { code: ['000000', 422, 'not_used'] } as const
const wrongToken = { token: ['A'.repeat(43), 422, 'invalid_link'] } as const

/** Switches the second factor on, and returns the person with the new session and a code that was not used. */
const withTotp = async (rig: Rig, { token }: Person) => {
  const { secret } = await rig.service.StartTotp({ token })
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp })
  const { session } = await rig.service.ConfirmTotp({ token, code: codeAt(rig.now()), ...client })
  const by = session ?? assert.fail('no session')
  return { by, code: codeAt(rig.now() + 30_000) }
}

const invited = async (rig: Rig, address: string): Promise<string> => {
  const host = await rig.owner('host@example.com')
  await rig.service.Invite({ workspace: host.workspace, user: host.user, email: address, role: 'member' })
  return tokenIn(rig)
}

const situations: Situation[] = [
  {
    operation: 'logIn',
    name: 'without a second factor',
    refused: { ...unusedCode, password: [wrongPassword, 401, ''] },
    set: async (rig) => {
      await rig.owner()
      return { body: { email, password } }
    },
  },
  {
    operation: 'logIn',
    name: 'with a second factor',
    refused: { code: ['000000', 401, 'invalid_code'], password: [wrongPassword, 401, ''] },
    set: async (rig) => ({ body: { email, password, code: (await withTotp(rig, await rig.owner())).code } }),
  },
  {
    operation: 'signUp',
    name: 'of a new address',
    refused: unusedCode,
    set: async () => ({ body: { email, password, workspace_name } }),
  },
  {
    operation: 'signUp',
    name: 'of a user who has left the workspace',
    refused: { ...unusedCode, password: [wrongPassword, 409, ''] },
    set: async (rig) => {
      const token = await invited(rig, email)
      const joined = await rig.service.AcceptInvitation({ token, password, session_token: '', code: '', ...client })
      const { workspace = '', userId: user = '' } = joined.caller ?? {}
      await rig.service.RemoveMember({ workspace, user, member: user, ...client })
      return { body: { email, password, workspace_name } }
    },
  },
  {
    operation: 'acceptInvitation',
    name: 'in a session',
    refused: { ...unusedCode, ...wrongToken, password: [password, 422, 'not_used'] },
    set: async (rig) => {
      const by = await rig.owner(other)
      return { body: { token: await invited(rig, other) }, by }
    },
  },
  {
    operation: 'acceptInvitation',
    name: 'in a session of a member, after a lost response',
    refused: { ...unusedCode, ...wrongToken, password: [password, 422, 'not_used'] },
    set: async (rig) => {
      const [by, token] = [await rig.owner(other), await invited(rig, other)]
      const reply = await rig.service.AcceptInvitation({
        ...{ token, password: '', session_token: by.token, code: '' },
        ...client,
      })
      return { body: { token }, by: { ...by, csrf_token: reply.csrf_token } }
    },
  },
  {
    operation: 'acceptInvitation',
    name: 'with a password',
    refused: { ...unusedCode, ...wrongToken, password: [wrongPassword, 401, ''] },
    set: async (rig) => {
      await rig.owner(other)
      return { body: { token: await invited(rig, other), password } }
    },
  },
  {
    operation: 'acceptInvitation',
    name: 'by a new user',
    refused: { ...unusedCode, ...wrongToken },
    set: async (rig) => ({ body: { token: await invited(rig, other), password } }),
  },
  {
    operation: 'confirmEmail',
    name: 'by link',
    refused: wrongToken,
    set: async (rig) => {
      await rig.owner()
      return { body: { token: await tokenIn(rig) } }
    },
  },
  {
    operation: 'resetPassword',
    name: 'by link',
    refused: wrongToken,
    set: async (rig) => {
      await rig.owner()
      await rig.service.RequestPasswordReset({ email, ...client })
      await rig.drain()
      return { body: { token: await tokenIn(rig), password: wrongPassword } }
    },
  },
  {
    operation: 'changeEmail',
    name: 'of the account',
    refused: { password: [wrongPassword, 422, 'wrong_password'] },
    set: async (rig) => ({ body: { email: other, password }, by: await rig.owner() }),
  },
  {
    operation: 'changePassword',
    name: 'of the account',
    refused: { current: [wrongPassword, 422, 'wrong_password'] },
    set: async (rig) => ({ body: { current: password, password: wrongPassword }, by: await rig.owner() }),
  },
  {
    operation: 'deleteOwnWorkspace',
    name: 'by an owner',
    refused: { password: [wrongPassword, 422, 'wrong_password'] },
    set: async (rig) => ({ body: { password }, by: await rig.owner() }),
  },
  {
    operation: 'confirmTotp',
    name: 'for the first time',
    refused: { code: ['000000', 422, 'invalid_code'] },
    set: async (rig) => {
      const by = await rig.owner()
      const { secret } = await rig.service.StartTotp({ token: by.token })
      return { body: { code: new TOTP({ secret }).generate({ timestamp: rig.now() }) }, by }
    },
  },
  {
    operation: 'disableTotp',
    name: 'of the account',
    refused: { code: ['000000', 422, 'invalid_code'] },
    set: async (rig) => {
      const { by, code } = await withTotp(rig, await rig.owner())
      return { body: { code }, by }
    },
  },
]

/** Passwords that a person chooses: every value has an effect. */
const chosen: ReadonlySet<string> = new Set(['signUp.password', 'resetPassword.password', 'changePassword.password'])

/** Returns the names of the fields of a schema. */
const fieldsOf = (schema: z.core.$ZodType | null): string[] => {
  if (schema === null) return []
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return Object.keys(def.shape)
  return def.type === 'pipe' ? [...fieldsOf(def.in), ...fieldsOf(def.out)] : []
}

const secretNames: ReadonlySet<string> = new Set(['password', 'current', 'code', 'token'])

describe('secrets in requests', () => {
  const send = async (gateway: TestGateway, operation: string, body: unknown, by?: Person): Promise<TestResponse> => {
    const { method, path } = routes.find(({ name }) => name === operation) ?? assert.fail(operation)
    const headers = by === undefined ? {} : { cookie: `sid=${by.token}`, 'x-csrf-token': by.csrf_token }
    return gateway.call({ method, path, headers, json: body })
  }

  it('each have a situation in this test', () => {
    const fields = routes
      .filter(({ access }) => !('operator' in access))
      .flatMap((route) => fieldsOf(route.body).map((field) => [route.name, field] as const))
      .filter(([name, field]) => secretNames.has(field) && !chosen.has(`${name}.${field}`))
    const isTried = ([name, field]: readonly [string, string]) =>
      situations.some(({ operation, refused }) => operation === name && field in refused)
    assert.deepEqual(
      fields.filter((one) => !isTried(one)),
      [],
    )
  })

  for (const { operation, name, refused, set } of situations) {
    for (const [field, [value, status, code]] of Object.entries(refused))
      it(`${field} of ${operation} ${name} is checked or refused`, async () => {
        const rig = testRig()
        await using gateway = await testGateway({ accounts: rig.service })
        const { body, by } = await set(rig)
        const response = await send(gateway, operation, { ...body, [field]: value }, by)
        assert.equal(response.status, status, response.text)
        if (code !== '')
          assert.deepEqual(
            response.body.errors?.map((problem) => [problem.path, problem.code]),
            [[field, code]],
          )
        // Nothing has changed: the request still succeeds.
        const correct = await send(gateway, operation, body, by)
        assert.ok(correct.status < 300, correct.text)
      })
  }
})
