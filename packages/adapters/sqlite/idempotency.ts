import { StringDecoder } from 'node:string_decoder'
import {
  abandonedMs,
  type Claim,
  type ClaimRequest,
  decide,
  forgetAt,
  type KeyRecord,
} from '@postrider/domain/idempotency/claim.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { IdempotencyStore, ResponseChange } from '@postrider/ports/idempotency.ts'
import type { SqliteDatabase } from './client/database.ts'

const recordOf = (row: Record<string, unknown>): KeyRecord => ({
  fingerprint: row['fingerprint'] as Uint8Array,
  emailId: String(row['email_id']),
  acceptedAt: Number(row['accepted_at']),
  leaseUntil: Number(row['lease_until']),
  requestId: row['request_id'] === null ? null : String(row['request_id']),
  response:
    row['expires_at'] === null
      ? null
      : { status: Number(row['status']), body: String(row['body']), expiresAt: Number(row['expires_at']) },
})

/** A negative lease is over at any time. Its amount is when it would have ended, which `forgetAt` needs. */
const ended = 'lease_until = -abs(lease_until)'

/**
 * Bytes of a response that is read as text. A longer one, such as that to a batch, is read as bytes and converted in
 * steps.
 */
const textBytes = 65_536

/** Converts UTF-8 to a text, and pauses in between. */
function* textSteps(bytes: Uint8Array): Steps<string> {
  const decoder = new StringDecoder()
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; from += textBytes) {
    pieces.push(decoder.write(bytes.subarray(from, from + textBytes)))
    yield
  }
  return pieces.join('') + decoder.end()
}

/**
 * Idempotency keys in SQLite.
 * @param slices runs the reading and the changes of long responses
 */
export const sqliteIdempotency = (db: SqliteDatabase, slices: Slices = makeSlices()): IdempotencyStore => {
  // `OR REPLACE` removes a record whose response has expired.
  const create = db.prepare(`
    INSERT OR REPLACE INTO idempotency_keys (scope, key, fingerprint, email_id, accepted_at, lease_until, request_id)
    VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const select = db.prepare(`
    SELECT fingerprint, email_id, accepted_at, lease_until, request_id, status, expires_at,
      iif(octet_length(body) > ${textBytes}, NULL, body) AS body
    FROM idempotency_keys WHERE scope = ? AND key = ?`)
  const selectLong = db.prepare('SELECT CAST(body AS BLOB) AS body FROM idempotency_keys WHERE scope = ? AND key = ?')
  const renew = db.prepare('UPDATE idempotency_keys SET lease_until = ?, request_id = ? WHERE scope = ? AND key = ?')
  const own = 'scope = ? AND key = ? AND email_id = ? AND expires_at IS NULL'
  const replace = db.prepare(`UPDATE idempotency_keys SET email_id = ? WHERE ${own}`)
  const finish = db.prepare(`UPDATE idempotency_keys SET status = ?, body = ?, expires_at = ? WHERE ${own}`)
  const leased = 'scope = ? AND key = ? AND request_id = ? AND lease_until = ? AND expires_at IS NULL'
  const release = db.prepare(`DELETE FROM idempotency_keys WHERE ${leased} AND email_id = ?`)
  const endLease = db.prepare(`UPDATE idempotency_keys SET ${ended} WHERE ${leased}`)
  const answered = db.prepare('SELECT 1 FROM idempotency_keys WHERE scope = ? AND key = ? AND expires_at > ?')
  const selectInFlight = db.prepare(`
    SELECT scope, key, email_id, accepted_at FROM idempotency_keys INDEXED BY idempotency_keys_expiry
    WHERE expires_at IS NULL AND scope >= ? AND scope < ?`)
  const endLeases = db.prepare(`UPDATE idempotency_keys SET ${ended} WHERE expires_at IS NULL`)
  /** Synchronous, so the record does not change between the read and the write. `long`: the body of a long response. */
  const claim = (request: ClaimRequest): { claim: Claim; long: Uint8Array | null } => {
    const { scope, key } = request
    const row = select.get(scope, key)
    const decision = decide(row ? recordOf(row) : null, request)
    if (decision.write === 'create') {
      const { fingerprint, emailId, acceptedAt, leaseUntil, requestId } = decision.record
      create.run(scope, key, fingerprint, emailId, acceptedAt, leaseUntil, requestId)
    } else if (decision.write === 'renew') renew.run(decision.leaseUntil, decision.requestId, scope, key)
    const isLong = decision.claim.kind === 'replay' && row?.['body'] === null
    const long = isLong ? selectLong.get(scope, key)?.['body'] : null
    return { claim: decision.claim, long: long instanceof Uint8Array ? long : null }
  }

  return {
    claim: async (request) => {
      const { claim: claimed, long } = db.writeOne(() => claim(request))
      if (claimed.kind !== 'replay' || long === null) return claimed
      return { ...claimed, body: await slices.of(request.scope).run(textSteps(long)) }
    },
    hasResponse: async ({ scope, key }, now) => db.read(() => answered.get(scope, key, now)) !== undefined,
    replaceEmail: async ({ scope, key, from, to }) =>
      db.writeOne(() => replace.run(to, scope, key, from)).changes === 1,
    finish: async ({ scope, key, emailId, status, body, expiresAt }) => {
      db.writeOne(() => finish.run(status, body, expiresAt, scope, key, emailId))
    },
    release: async ({ scope, key, requestId, leaseUntil, emailId }) => {
      db.writeOne(() => release.run(scope, key, requestId, leaseUntil, emailId))
    },
    endLease: async ({ scope, key, requestId, leaseUntil }) => {
      db.writeOne(() => endLease.run(scope, key, requestId, leaseUntil))
    },
    releaseAbandoned: async () => Number(db.writeOne(() => endLeases.run()).changes),
    inFlight: async (workspace) =>
      db
        .read(() => selectInFlight.all(`${workspace} `, `${workspace}!`))
        .map(({ scope, key, email_id: emailId, accepted_at: acceptedAt }) => ({
          scope: String(scope),
          key: String(key),
          emailId: String(emailId),
          acceptedAt: Number(acceptedAt),
        })),
    ...responseChanges(db, slices),
    sweep: keySweep(db),
  }
}

type Changes = Pick<IdempotencyStore, 'replaceResponses' | 'changeResponses'>
type ResponseKey = { scope: string; key: string; emailId: string }

/** Changes stored responses, for erasures: one after the other, in slices, because responses to batches are long. */
const responseChanges = (db: SqliteDatabase, slices: Slices): Changes => {
  // Without the name SQLite would read all keys of the workspace for each email.
  const selectKeys = db.prepare(`
    SELECT scope, key FROM idempotency_keys INDEXED BY idempotency_keys_by_email
    WHERE scope >= ? AND scope < ? AND email_id = ? AND expires_at IS NOT NULL`)
  const selectNext = db.prepare(`
    SELECT key, email_id FROM idempotency_keys WHERE scope = ? AND key > ? AND expires_at IS NOT NULL ORDER BY key LIMIT 1`)
  const answered = 'WHERE scope = ? AND key = ? AND email_id = ? AND expires_at IS NOT NULL'
  const selectBody = db.prepare(`SELECT CAST(body AS BLOB) AS body FROM idempotency_keys ${answered}`)
  const setBody = db.prepare(`UPDATE idempotency_keys SET body = ? ${answered} AND CAST(body AS BLOB) = ?`)
  function* changeOne({ scope, key, emailId }: ResponseKey, change: ResponseChange): Steps<void> {
    // Another change of the response must not be lost.
    for (let isDone = false; !isDone; ) {
      const body = db.read(() => selectBody.get(scope, key, emailId))?.['body']
      if (!(body instanceof Uint8Array)) return
      yield
      const stored = yield* textSteps(body)
      const changed = yield* change(stored)
      yield
      isDone = changed === stored || db.writeOne(() => setBody.run(changed, scope, key, emailId, body)).changes === 1
    }
  }
  function* replaceEach(workspace: string, changes: Parameters<Changes['replaceResponses']>[1]): Steps<void> {
    for (const { emailId, change } of changes) {
      const found = db.read(() => selectKeys.all(`${workspace} `, `${workspace}!`, emailId))
      for (const { scope, key } of found) yield* changeOne({ scope: String(scope), key: String(key), emailId }, change)
      yield
    }
  }
  function* changeSome(...[scope, page, change]: Parameters<Changes['changeResponses']>): Steps<string | null> {
    let { after } = page
    for (let read = 0; read < page.limit; read++) {
      const row = db.read(() => selectNext.get(scope, after))
      if (!row) return null
      after = String(row['key'])
      yield* changeOne({ scope, key: after, emailId: String(row['email_id']) }, change)
    }
    return after
  }
  return {
    replaceResponses: (workspace, changes) => slices.of(workspace).run(replaceEach(workspace, changes)),
    changeResponses: (scope, page, change) => slices.of(scope).run(changeSome(scope, page, change)),
  }
}

/** The statement preselects unanswered records by a condition that each abandoned one meets, and `forgetAt` decides. */
const keySweep = (db: SqliteDatabase): IdempotencyStore['sweep'] => {
  const removeExpired = db.prepare(`
    DELETE FROM idempotency_keys WHERE rowid IN (SELECT rowid FROM idempotency_keys WHERE expires_at <= ? LIMIT ?)`)
  const selectUnanswered = db.prepare(`
    SELECT rowid, accepted_at, abs(lease_until) AS lease_until FROM idempotency_keys
    WHERE expires_at IS NULL AND accepted_at <= ?`)
  const remove = db.prepare('DELETE FROM idempotency_keys WHERE rowid = ?')
  const abandoned = (now: number, limit: number): number[] => {
    const found: number[] = []
    if (limit === 0) return found
    for (const row of selectUnanswered.iterate(now - abandonedMs)) {
      const [acceptedAt, leaseUntil] = [Number(row['accepted_at']), Number(row['lease_until'])]
      if (forgetAt({ acceptedAt, leaseUntil }) <= now) found.push(Number(row['rowid']))
      if (found.length === limit) break
    }
    return found
  }
  return async (now, limit) => {
    const expired = Number(db.writeOne(() => removeExpired.run(now, limit)).changes)
    const ids = db.read(() => abandoned(now, limit - expired))
    if (ids.length === 0) return expired
    db.write(() => {
      for (const id of ids) remove.run(id)
    })
    return expired + ids.length
  }
}
