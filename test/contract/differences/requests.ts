import { mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/emails/mailbox.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import type { Claim, Lease } from '@postrider/domain/idempotency/claim.ts'
import { dayMs, hourMs, minuteMs } from '@postrider/domain/time.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, operationsOn } from './compare.ts'

type Stores = {
  keys: IdempotencyStore
  mailbox: MailboxStore
  /** Claims of keys; some are lost. */
  leases: (Lease & { emailId: string })[]
}

const operation = operationsOn<Stores>()

const leaseMs = minuteMs
const scopes = ['ws_1 live POST /emails', 'ws_1 test POST /emails', 'ws_2 live POST /emails']
const scope = fc.constantFrom(...scopes)
const key = fc.constantFrom('a', 'b', 'ü', 'B')
const emailId = fc.constantFrom('em_1', 'em_2', 'em_3')
const recent = fc.nat({ max: 2 })

/** Returns a change that adds a text to a response. */
const adding = (text: string) =>
  function* (stored: string): Generator<undefined, string, undefined> {
    yield
    return stored + text
  }

const ofKeys = {
  claim: operation(
    {
      scope,
      key,
      emailId,
      body: fc.constantFrom(1, 1, 1, 2),
      former: fc.constantFrom(null, 1),
      request: recent,
      isRepeat: fc.boolean(),
    },
    async ({ keys, leases }, given, { now }) => {
      const requestId = `req_${given.request}`
      const claim: Claim = await keys.claim({
        scope: given.scope,
        key: given.key,
        fingerprint: Uint8Array.of(given.body),
        ...(given.former !== null && { formerFingerprint: Uint8Array.of(given.former) }),
        emailId: given.emailId,
        at: now,
        leaseMs,
        requestId,
        isRepeat: given.isRepeat,
      })
      if (claim.kind === 'claimed') {
        const { emailId: claimed, leaseUntil } = claim
        leases.push({ scope: given.scope, key: given.key, requestId, leaseUntil, emailId: claimed })
      }
      return claim
    },
    8,
  ),
  finish: operation(
    { of: recent, keepMs: fc.constantFrom(minuteMs, dayMs) },
    async ({ keys, leases }, given, { now, step }) => {
      const lease = leases.at(-1 - given.of)
      if (!lease) return null
      const { scope: of, key: name, emailId: id } = lease
      return keys.finish({
        scope: of,
        key: name,
        emailId: id,
        status: 202,
        body: `${step}`,
        expiresAt: now + given.keepMs,
      })
    },
    4,
  ),
  release: operation({ of: recent }, async ({ keys, leases }, given) => {
    const lease = leases.at(-1 - given.of)
    if (lease) await keys.release(lease)
  }),
  endLease: operation({ of: recent }, async ({ keys, leases }, given) => {
    const lease = leases.at(-1 - given.of)
    if (lease) await keys.endLease(lease)
  }),
  replaceEmail: operation({ scope, key, from: emailId, to: emailId }, ({ keys }, given) => keys.replaceEmail(given)),
  hasResponse: operation({ scope, key }, ({ keys }, given, { now }) => keys.hasResponse(given, now)),
  releaseAbandoned: operation({}, ({ keys }) => keys.releaseAbandoned()),
  replaceResponses: operation(
    { workspace: fc.constantFrom('ws_1', 'ws_2'), ids: fc.uniqueArray(emailId, { maxLength: 2 }) },
    ({ keys }, given, { step }) =>
      keys.replaceResponses(
        given.workspace,
        given.ids.map((id) => ({ emailId: id, change: adding(` ${id} ${step}`) })),
      ),
  ),
  changeResponses: operation(
    { scope, after: fc.constantFrom('', 'a', 'b'), limit: fc.constantFrom(1, 2, 9) },
    ({ keys }, given, { step }) => keys.changeResponses(given.scope, given, adding(` ${step}`)),
    2,
  ),
  sweep: operation({}, ({ keys }, _, { now }) => keys.sweep(now, 100)),
}

const attemptId = fc.nat({ max: 5 }).map((number) => `att_${number}`)
const workspace = fc.constantFrom('ws_1', 'ws_2')

const ofMailbox = {
  put: operation(
    {
      attemptId,
      emailId,
      workspace,
      mode: fc.constantFrom('live', 'test'),
      to: fc.array(fc.constantFrom('ann@example.com', 'ü@example.com')),
    },
    ({ mailbox }, given, { now }) => mailbox.put({ ...given, at: now, from: 'ada@postrider.example' }),
    4,
  ),
  list: operation(
    {
      workspace: fc.option(workspace, { nil: null }),
      before: fc.option(attemptId, { nil: null }),
      limit: fc.constantFrom(1, 2, 9),
    },
    ({ mailbox }, given) => mailbox.list(given),
    2,
  ),
  get: operation({ attemptId }, ({ mailbox }, given) => mailbox.get(given.attemptId)),
  remove: operation({ ids: fc.array(attemptId, { maxLength: 2 }) }, ({ mailbox }, given) => mailbox.remove(given.ids)),
}

const contents = async ({ keys, mailbox }: Stores, _: undefined, { now }: { now: number }): Promise<unknown> => {
  const responses = scopes.flatMap((of) => ['a', 'b', 'ü', 'B'].map((name) => ({ scope: of, key: name })))
  const request = { fingerprint: Uint8Array.of(1), emailId: 'em_9', at: now, leaseMs, requestId: 'req_9' }
  return {
    inFlight: inAnyOrder([...(await keys.inFlight('ws_1')), ...(await keys.inFlight('ws_2'))]),
    captured: await mailbox.list({ workspace: null, before: null, limit: 100 }),
    responses: await Promise.all(responses.map((one) => keys.hasResponse(one, now))),
    claims: await Promise.all(responses.map((one) => keys.claim({ ...one, ...request }))),
  }
}

export const requestDifferences: Comparison<Stores> = {
  name: 'idempotency keys and captured mail',
  sqlite: (db) => ({ keys: sqliteIdempotency(db), mailbox: sqliteMailbox(db), leases: [] }),
  mongo: (db) => ({ keys: mongoIdempotency(db), mailbox: mongoMailbox(db), leases: [] }),
  operations: { ...ofKeys, ...ofMailbox },
  waits: [1_000, leaseMs, hourMs, 2 * dayMs, -1_000],
  contents,
  maxOperations: 40,
}
