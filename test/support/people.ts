import assert from 'node:assert/strict'
import { type Client, fresh, password, type Session, type Tenant } from './client.ts'
import type { HttpResponse } from './http.ts'
import type { Receiver } from './receiver.ts'
import type { SessionRecord } from './records.ts'
import { until } from './until.ts'

/** A person who joined a workspace by an invitation. */
export type Colleague = { session: Session; email: string; id: string }

type At = { client: Client; receiver: Receiver }

export const invitations = '/api/v1/members/invitations'
export const accepting = '/api/v1/auth/invitations/accept'

const link = /\/account\/invitation\?token=([\w-]{43})\s/

/**
 * Returns the token of the newest link of an invitation that reached an address.
 * @param count invitations that it has got by then
 */
export const tokenFor = async ({ receiver }: At, address: string, count = 1): Promise<string> => {
  await receiver.waitFor(address)
  const mails = await until('the mail of the invitation', async () => {
    const all = receiver.to(address).filter(({ mail }) => link.test(mail.text ?? ''))
    return all.length >= count ? all : undefined
  })
  const token = link.exec(mails.at(-1)?.mail.text ?? '')?.[1]
  assert.ok(token, mails.at(-1)?.mail.text)
  return token
}

/** Invites an address and returns the token of the link in the mail. */
export const invite = async (at: At, inviter: Session, email: string, role: string): Promise<string> => {
  const response = await inviter.call({ path: invitations, json: { email, role } })
  assert.equal(response.status, 201, response.text)
  return tokenFor(at, email)
}

/**
 * Accepts an invitation. A busy cluster may return 503 although it made the account. The repeated request then finds a
 * used link, which opens no session, and the person logs in.
 */
export const accept = async (
  client: Client,
  { email, ...given }: { token: string; email: string; password: string },
  headers: Record<string, string> = {},
): Promise<HttpResponse<SessionRecord>> => {
  const repeated = client.repeated()
  const response = await client.call<SessionRecord>({ path: accepting, json: given, headers })
  if (response.status === 200 || client.repeated() === repeated) return response
  const json = { email, password: given.password }
  return client.call<SessionRecord>({ path: '/api/v1/auth/login', json, headers })
}

/** Makes a new user who is a member of the tenant's workspace. */
export const colleague = async (at: At, { session }: Pick<Tenant, 'session'>, role: string): Promise<Colleague> => {
  const email = fresh(role)
  const token = await invite(at, session, email, role)
  const response = await accept(at.client, { token, email, password })
  assert.equal(response.status, 200, response.text)
  return { session: at.client.session(response), email, id: response.body.user.id }
}
