import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import type { Client, Session, Tenant } from './client.ts'
import { type Colleague, colleague } from './people.ts'
import type { Receiver } from './receiver.ts'
import type { SessionRecord } from './records.ts'

type At = { client: Client; receiver: Receiver }

export const operatorsPath = '/api/v1/operator/operators'

/** Switches two-factor authentication on. Returns the renewed session, and the recovery codes. */
export const secured = async ({ client }: Pick<At, 'client'>, session: Session) => {
  const { body } = await session.call<{ secret: string }>({ method: 'POST', path: '/api/v1/auth/totp' })
  const json = { code: new TOTP({ secret: body.secret }).generate() }
  type Enabled = SessionRecord & { recovery_codes: string[] }
  const response = await session.call<Enabled>({ path: '/api/v1/auth/totp/confirm', json })
  assert.equal(response.status, 200, response.text)
  return { session: client.session(response), recovery: response.body.recovery_codes }
}

/** Switches two-factor authentication off. */
export const withoutFactor = async (session: Session, recovery: readonly string[]): Promise<void> => {
  const json = { code: recovery[0] }
  const response = await session.call({ method: 'DELETE', path: '/api/v1/auth/totp', json })
  assert.equal(response.status, 204, response.text)
}

/** Makes the user of an address, who has a second factor, an operator, with the operator's token. */
export const makeOperator = async ({ client }: Pick<At, 'client'>, email: string): Promise<void> => {
  const response = await client.withOperatorToken().call({ path: operatorsPath, json: { email } })
  assert.equal(response.status, 201, response.text)
}

type Secured = Colleague & { recovery: string[] }

/** Makes a new viewer of the tenant's workspace with a second factor. */
export const securedColleague = async (at: At, tenant: Pick<Tenant, 'session'>): Promise<Secured> => {
  const person = await colleague(at, tenant, 'viewer')
  return { ...person, ...(await secured(at, person.session)) }
}

/** Makes a new viewer of the tenant's workspace who is an operator with a second factor. */
export const operatorUser = async (at: At, tenant: Pick<Tenant, 'session'>): Promise<Secured> => {
  const person = await securedColleague(at, tenant)
  await makeOperator(at, person.email)
  return person
}
