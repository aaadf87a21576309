import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, type Http, type HttpResponse, openHttp } from './http.ts'
import type { EmailRecord, KeyRecord, ListRecord, SessionRecord, TemplateRecord } from './records.ts'
import { hangMs, until } from './until.ts'

/** Makes requests with the credentials of one caller. */
export type Caller = { call<T>(call: Call): Promise<HttpResponse<T>> }

export type Limits = {
  monthly?: number | null | 'plan'
  daily?: number | null | 'plan'
  rate?: number | null | 'plan'
  burst?: number | null | 'plan'
}

export type Session = Caller & { record: SessionRecord; cookie: string }

export type Tenant = {
  session: Session
  workspace: SessionRecord['workspace']
  email: string
  password: string
  /** A live key with the default scopes. */
  api: Caller & { key: string }
  makeKey(request?: Record<string, unknown>): Promise<Caller & { key: string; record: KeyRecord }>
  send(mail: Record<string, unknown>, headers?: Record<string, string>): Promise<HttpResponse<EmailRecord>>
  get(id: string): Promise<EmailRecord>
  list(query?: string): Promise<ListRecord<EmailRecord>>
  template(fields: Record<string, unknown>): Promise<TemplateRecord>
  /** Polls one email until `wanted` returns true. */
  until(id: string, wanted: (email: EmailRecord) => boolean, deadlineMs?: number): Promise<EmailRecord>
}

export type Client = Caller & {
  url: string
  withKey(key: string): Caller & { key: string }
  withOperatorToken(token?: string): Caller
  /** Signs up from a random IP address, so that tests do not reach the limit per address. */
  signUp(fields?: Record<string, unknown>): Promise<HttpResponse<SessionRecord>>
  session(response: HttpResponse<SessionRecord>): Session
  /** Creates a workspace without quotas and rate limits, except those in `limits`. */
  tenant(limits?: Limits): Promise<Tenant>
  setLimits(workspace: string, limits: Limits): Promise<void>
  /** Returns how many requests a patient client has repeated. */
  repeated(): number
  close(): void
}

const octet = (): number => 1 + ((randomBytes(1)[0] ?? 0) % 250)

export const password = 'correct horse battery staple'

/** Returns an address that no other test uses. */
export const fresh = (name = 'user', domain = 'receiver.example'): string =>
  `${name}.${randomBytes(6).toString('hex')}@${domain}`

/** Returns a domain name that no other test uses. */
export const freshDomain = (): string => `d${randomBytes(6).toString('hex')}.example`

/** Returns the fields of a valid mail without a template; `over` replaces fields. */
export const rawMail = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  to: [fresh()],
  subject: 'Hello',
  text: 'Hello there.',
  ...over,
})

const cookieOf = (response: HttpResponse<unknown>): string =>
  (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '').join('; ')

const final = new Set(['delivered', 'partially_delivered', 'bounced', 'failed', 'suppressed', 'canceled'])

export const isFinal = (email: EmailRecord): boolean => final.has(email.status)

const ok = <T>(response: HttpResponse<T>, status: number): HttpResponse<T> => {
  assert.equal(response.status, status, response.text.slice(0, 800))
  return response
}

/**
 * Repeats a request with an idempotency key until its response is final. A busy machine can return 503, and then 409 to
 * the repeated request.
 */
export const answered = async <T>(makeRequest: () => Promise<HttpResponse<T>>): Promise<HttpResponse<T>> =>
  until(
    'the response is final',
    async () => {
      const response = await makeRequest()
      return response.status === 503 || response.status === 409 ? undefined : response
    },
    hangMs,
    50,
  )

/**
 * Repeats a request that prepares a test or reads a record while a busy machine has no time for it: 503 with
 * Retry-After, as clients are to do.
 */
export const whenServed = <T>(makeRequest: () => Promise<HttpResponse<T>>): Promise<HttpResponse<T>> =>
  until(
    'the request is served',
    async () => {
      const response = await makeRequest()
      return response.status === 503 && response.headers['retry-after'] !== undefined ? undefined : response
    },
    hangMs,
    100,
  )

/** How long a patient client repeats a request. Then the test gets the refusal. */
const patienceMs = hangMs / 2

/** Repeats each request that gets 503 with Retry-After, after that time, as clients should. */
const patient = (http: Http): Http & { repeated(): number } => {
  let repeated = 0
  return {
    ...http,
    repeated: () => repeated,
    call: async (call) => {
      const startedAt = performance.now()
      for (;;) {
        const response = await http.call<never>(call)
        const waitSeconds = Number(response.status === 503 ? (response.headers['retry-after'] ?? 0) : 0)
        if (waitSeconds === 0 || performance.now() - startedAt > patienceMs) return response
        repeated++
        await pause(waitSeconds * 1_000)
      }
    },
  }
}

export type ConnectOptions = {
  /**
   * Whether it repeats requests that a busy service refuses with 503. A cluster of tests has more processes than the
   * machine cores, and suites that run on one process too are about something else: there, each 503 is a failure.
   */
  isPatient?: boolean
}

export const connect = (url: string, operatorToken: string, { isPatient = false }: ConnectOptions = {}): Client => {
  const impatient = openHttp(url)
  const http = isPatient ? patient(impatient) : { ...impatient, repeated: () => 0 }
  const withToken = (token: string): Caller => ({
    call: (call) => http.call({ ...call, headers: { authorization: `Bearer ${token}`, ...call.headers } }),
  })
  const withKey = (key: string) => ({ ...withToken(key), key })
  const withOperatorToken = (token = operatorToken) => withToken(token)

  const signUpOnce = (fields: Record<string, unknown>) =>
    impatient.call<SessionRecord>({
      path: '/api/v1/auth/signup',
      json: { email: fresh('owner'), password, workspace_name: 'Acme', ...fields },
      headers: { 'x-forwarded-for': `10.${octet()}.${octet()}.${octet()}` },
    })
  // A sign-up that got 503 may have been made. With the same address the next one would get 409, so each has its own.
  const signUp = (fields: Record<string, unknown> = {}) =>
    isPatient ? whenServed(() => signUpOnce(fields)) : signUpOnce(fields)

  const session = (response: HttpResponse<SessionRecord>): Session => {
    const cookie = cookieOf(response)
    const headers = { cookie, 'x-csrf-token': response.body.csrf_token }
    return {
      record: response.body,
      cookie,
      call: (call) => http.call({ ...call, headers: { ...headers, ...call.headers } }),
    }
  }

  const setLimits = async (workspace: string, limits: Limits): Promise<void> => {
    const path = `/api/v1/operator/workspaces/${workspace}`
    ok(await whenServed(() => withOperatorToken().call({ method: 'PATCH', path, json: { limits } })), 200)
  }

  const tenant = async (limits: Limits = {}): Promise<Tenant> => {
    let email = ''
    const signedUp = await whenServed(() => {
      email = fresh('owner')
      return signUpOnce({ email })
    })
    const owner = session(ok(signedUp, 201))
    const { workspace } = owner.record
    await setLimits(workspace.id, { monthly: null, daily: null, rate: null, burst: null, ...limits })
    return { ...(await tenantCalls(owner, withKey)), workspace, session: owner, email, password }
  }

  return {
    url,
    call: http.call,
    withKey,
    withOperatorToken,
    signUp,
    session,
    tenant,
    setLimits,
    repeated: http.repeated,
    close: http.close,
  }
}

const tenantCalls = async (
  owner: Session,
  withKey: (key: string) => Caller & { key: string },
): Promise<Omit<Tenant, 'workspace' | 'session' | 'email' | 'password'>> => {
  const makeKey = async (request: Record<string, unknown> = {}) => {
    const json = { name: 'key', ...request }
    const response = await whenServed(() => owner.call<KeyRecord>({ path: '/api/v1/api-keys', json }))
    const record = ok(response, 201).body
    return { ...withKey(record.key), record }
  }
  const api = await makeKey()
  const read = async <T>(path: string) => ok(await whenServed(() => api.call<T>({ path })), 200).body
  const get = (id: string) => read<EmailRecord>(`/api/v1/emails/${id}`)
  return {
    api,
    makeKey,
    get,
    send: (mail, headers = {}) => api.call<EmailRecord>({ path: '/api/v1/emails', json: mail, headers }),
    list: (query = '') => read<ListRecord<EmailRecord>>(`/api/v1/emails${query}`),
    template: async (fields) => {
      // A template that got 503 may have been made, so each request has a name of its own.
      const make = () => ({ name: fresh('template'), subject: 'Subject', ...fields })
      const post = () => api.call<TemplateRecord>({ path: '/api/v1/templates', json: make() })
      return ok(await whenServed(post), 201).body
    },
    until: (id, wanted, deadlineMs) => {
      let last: EmailRecord | undefined
      const check = async () => {
        last = await get(id)
        return wanted(last) ? last : undefined
      }
      return until(`email ${id}`, check, deadlineMs).catch((reason: Error) => {
        throw new Error(`${reason.message}; the email is ${JSON.stringify(last)}`)
      })
    },
  }
}
