import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, password, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

describe('requests of unauthenticated clients', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  /** An address in a network (a /48) that no other test uses, also of another run on the same Redis. */
  const stranger = (): string => {
    const id = randomBytes(5).toString('hex')
    return `fd${id.slice(0, 2)}:${id.slice(2, 6)}:${id.slice(6)}::7`
  }
  const from = (address: string) => ({ 'x-forwarded-for': address })

  const logIn = (email: string, address: string, secret = password) =>
    system().client.call({ path: '/api/v1/auth/login', json: { email, password: secret }, headers: from(address) })

  const statusesOf = (responses: readonly { status: number }[]): number[] =>
    [...new Set(responses.map(({ status }) => status))].sort()

  it('a flood of logins from one address is limited, is not logged as failures, and does not block other logins', async () => {
    // It filled the queue of hashes: others waited for all of it, or got 503.
    const floodOnce = async () => {
      const address = stranger()
      const flood = Array.from({ length: 150 }, () => logIn(fresh('unknown'), address))
      const newcomers = await Promise.all(Array.from({ length: 3 }, () => logIn(tenant.email, stranger())))
      return { responses: await Promise.all(flood), newcomers: statusesOf(newcomers) }
    }
    let { responses, newcomers } = await floodOnce()
    // On a busy machine a login may wait too long for its own hash.
    for (let left = 4; left > 0 && newcomers.includes(503); left--) ({ responses, newcomers } = await floodOnce())
    assert.deepEqual(newcomers, [200])
    const limited = responses.find(({ status }) => status === 429) ?? assert.fail('no attempt was limited')
    assertProblem(limited, 429, 'rate_limited')
    assert.match(limited.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.ok(responses.every(({ status }) => [401, 429, 503].includes(status)))
    assert.ok(responses.filter(({ status }) => status === 401).length <= 60)
    const logs = system().standalone?.logs() ?? []
    assert.deepEqual(
      logs.filter(({ msg }) => msg === 'request failed'),
      [],
    )
  })

  it('wrong operator tokens are limited per address; the right one works from other addresses', async () => {
    const [address, other] = [stranger(), stranger()]
    const call = (headers: Record<string, string>) =>
      system().client.withOperatorToken().call({ path: '/api/v1/operator/workspaces?limit=1', headers })
    const guesses = Array.from({ length: 40 }, (_, n) =>
      call({ ...from(address), authorization: `Bearer guess-number-${n}` }),
    )
    const responses = await Promise.all(guesses)
    assert.deepEqual(statusesOf(responses), [401, 429])
    const limited = responses.find(({ status }) => status === 429) ?? assert.fail()
    assert.match(limited.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assertProblem(await call(from(address)), 429, 'rate_limited')
    assert.equal((await call(from(other))).status, 200)
  })
})

describe('fields of the contract that do nothing yet', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const notSupported = (path: string) => [{ path, code: 'not_supported' }]

  it('sends with fields that do nothing yet are refused', async () => {
    const { api } = tenant
    const sent = await api.call({ path: '/api/v1/emails', json: rawMail({ topic: 'news' }) })
    assertProblem(sent, 422, 'validation_failed', notSupported('topic'))
  })
})
