// `helm test`: sends one email with a test key, which sends no real mail and uses no quota, and waits until it is
// delivered.
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

const { GATEWAY_URL: gateway = 'http://localhost:8080', API_KEY: givenKey } = process.env

const deadlineMs = 60_000
const againAfterMs = 1_000

type Answer<T> = { status: number; body: T; cookie: string }

const call = async <T>(path: string, headers: Record<string, string>, json?: object): Promise<Answer<T>> => {
  const request = json && { method: 'POST', body: JSON.stringify(json) }
  const response = await fetch(new URL(path, gateway), {
    ...request,
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { status: response.status, body: JSON.parse(text), cookie: cookie.join('; ') }
}

/** Signs up and returns a key of the new workspace. */
const signUpForKey = async (): Promise<string> => {
  const email = `helm-test-${randomUUID()}@example.com`
  const user = { email, password: randomUUID(), workspace_name: 'helm test' }
  const { body, cookie } = await call<{ csrf_token: string }>('/api/v1/auth/signup', {}, user)
  const session = { cookie, 'x-csrf-token': body.csrf_token }
  const made = await call<{ key: string }>('/api/v1/api-keys', session, { name: 'helm test', mode: 'test' })
  return made.body.key
}

const key = givenKey ?? (await signUpForKey())
const byKey = { authorization: `Bearer ${key}` }
const mail = { to: ['someone@example.com'], subject: 'helm test', text: 'Test that mail flows.' }
const sent = await call<{ id: string; mode: string }>('/api/v1/emails', byKey, mail)
console.log(`accepted: ${sent.status} ${sent.body.id}`)

const until = performance.now() + deadlineMs
for (;;) {
  const { body } = await call<{ status: string }>(`/api/v1/emails/${sent.body.id}`, byKey)
  console.log(`status: ${body.status}`)
  if (body.status === 'delivered') break
  if (performance.now() > until) throw new Error(`not delivered after ${deadlineMs / 1_000} s`)
  await pause(againAfterMs)
}
