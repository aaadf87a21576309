import assert from 'node:assert/strict'
import process from 'node:process'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import { type Client, fresh, password, type Session, type Tenant } from '../support/client.ts'
import { openHttp } from '../support/http.ts'
import { colleague } from '../support/people.ts'
import type { SessionRecord } from '../support/records.ts'
import { operatorToken } from '../support/standalone.ts'
import type { System } from '../support/suite.ts'
import { startWebhookServer } from '../support/webhookReceiver.ts'
import { type Document, readDocument } from './document.ts'
import { makeRecords, type Records } from './records.ts'
import { checkedSender, nothingSeen, type Seen, type SendChecked } from './send.ts'

/** Headers that identify a caller. */
export type Credentials = Readonly<Record<string, string>>

/** A person whose session, password or workspace a request may end. A new session replaces one that has ended. */
export type Victim = { email: string; session: Credentials; user: string; workspace: string }

export type World = AsyncDisposable & {
  system: System
  document: Document
  seen: Seen
  send: SendChecked
  /** Credentials of the owner of the main workspace. */
  owner: Credentials
  viewer: Credentials
  liveKey: Credentials
  testKey: Credentials
  /** A live key of each scope. */
  keys: ReadonlyMap<string, Credentials>
  /** The owner of another workspace. */
  stranger: Credentials
  operator: Credentials
  records: Records
  tenant: Tenant
  /** A receiver of webhooks that accepts everything. */
  hookUrl: string
  victim(): Promise<Victim>
  /** Gives the victim's workspace the limits of a new one. Without limits, responses have no headers about them. */
  limitVictim(): Promise<void>
  /** Makes another victim at the next call, if there are some left. */
  dropVictim(): void
}

/** Far above what a run needs, so that it meets no rate limit and the responses have the headers of one. */
const limits = { rate: 100_000, burst: 100_000, monthly: 1_000_000, daily: 1_000_000 }

const bearer = (key: string): Credentials => ({ authorization: `Bearer ${key}` })

export const credentialsOf = ({ cookie, record }: Pick<Session, 'cookie' | 'record'>): Credentials => ({
  cookie,
  'x-csrf-token': record.csrf_token,
})

export const operatorCredentials = (): Credentials =>
  bearer(process.env['POSTRIDER_E2E_OPERATOR_TOKEN'] ?? operatorToken)

const octet = (): number => 1 + Math.floor(Math.random() * 250)

/** Open operations have limits per client address. */
export const fromElsewhere = (): Record<string, string> => ({
  'x-forwarded-for': `10.${octet()}.${octet()}.${octet()}`,
})

/** Signing up costs a password's hash each time. */
const maxVictims = 12

const victims = (client: Client) => {
  let current: Victim | null = null
  const made: string[] = []
  return {
    made,
    limit: async (): Promise<void> => {
      if (current) await client.setLimits(current.workspace, limits)
    },
    drop: (): void => {
      if (made.length < maxVictims) current = null
    },
    get: async (): Promise<Victim> => {
      if (current) return current
      const email = fresh('victim')
      const response = await client.signUp({ email })
      assert.equal(response.status, 201, response.text)
      const { user, workspace } = response.body
      made.push(workspace.id)
      await client.setLimits(workspace.id, limits)
      current = { email, session: credentialsOf(client.session(response)), user: user.id, workspace: workspace.id }
      return current
    },
  }
}

export const victimPassword = password

/** Makes the workspaces and callers of a run. Disposal suspends the workspaces, so that nothing of them goes on. */
export const makeWorld = async (system: System): Promise<World> => {
  const { client } = system
  const [tenant, other] = [await client.tenant(limits), await client.tenant(limits)]
  const { body: served } = await client.call<unknown>({ path: '/api/v1/openapi.json' })
  const document = readDocument(served)
  const seen = nothingSeen()
  const http = openHttp(client.url)
  const keys = new Map<string, Credentials>()
  for (const scope of scopes) keys.set(scope, bearer((await tenant.makeKey({ scopes: [scope] })).key))
  const [live, test] = [
    await tenant.makeKey({ scopes: [...scopes] }),
    await tenant.makeKey({ scopes: [...scopes], mode: 'test' }),
  ]
  const viewer = await colleague(system, tenant, 'viewer')
  const operator = client.withOperatorToken()
  const spare = victims(client)
  const hooks = await startWebhookServer(() => ({}))
  // What the run itself needs is read and never changed.
  const { body: owned } = await tenant.session.call<SessionRecord>({ path: '/api/v1/auth/session' })
  const records = makeRecords([owned.user.id, viewer.id, owned.workspace.id])
  for (const path of ['/api/v1/api-keys?limit=100', '/api/v1/auth/sessions?limit=100']) {
    records.protect((await tenant.session.call<unknown>({ path })).body)
  }
  return {
    system,
    document,
    seen,
    send: checkedSender({ http, url: client.url, document, seen }),
    owner: credentialsOf(tenant.session),
    viewer: credentialsOf(viewer.session),
    liveKey: bearer(live.key),
    testKey: bearer(test.key),
    keys,
    stranger: credentialsOf(other.session),
    operator: operatorCredentials(),
    records,
    tenant,
    hookUrl: hooks.url,
    victim: spare.get,
    limitVictim: spare.limit,
    dropVictim: spare.drop,
    [Symbol.asyncDispose]: async () => {
      http.close()
      await hooks[Symbol.asyncDispose]()
      for (const id of [tenant.workspace.id, other.workspace.id, ...spare.made]) {
        await operator.call({ method: 'PATCH', path: `/api/v1/operator/workspaces/${id}`, json: { suspended: true } })
      }
    },
  }
}
