import type { Claim, IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { SqliteDatabase } from './database.ts'

/** How long a claim without an answer holds its key: its owner died, and its client never came back. */
const abandonedMs = 86_400_000

/** A lease that ended before all time. */
const noLease = 0

type Row = Record<string, unknown>
type Request = Parameters<IdempotencyStore['claim']>[0]

const answerOf = (row: Row): Claim => ({
  kind: 'replay',
  emailId: String(row['email_id']),
  status: Number(row['status']),
  body: String(row['body']),
})

const firstClaim = ({ emailId, at }: Request): Claim => ({
  kind: 'claimed',
  emailId,
  acceptedAt: at,
  takenOver: false,
})

const isSame = (row: Row, fingerprint: Uint8Array): boolean =>
  Buffer.compare(row['fingerprint'] as Uint8Array, fingerprint) === 0

export const sqliteIdempotency = (db: SqliteDatabase): IdempotencyStore => {
  const insert = db.prepare(`
    INSERT INTO idempotency_keys (scope, key, fingerprint, email_id, accepted_at, lease_until)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const select = db.prepare('SELECT * FROM idempotency_keys WHERE scope = ? AND key = ?')
  const forget = db.prepare('DELETE FROM idempotency_keys WHERE scope = ? AND key = ?')
  const takeOver = db.prepare('UPDATE idempotency_keys SET lease_until = ? WHERE scope = ? AND key = ?')
  const own = 'scope = ? AND key = ? AND email_id = ? AND expires_at IS NULL'
  const replace = db.prepare(`UPDATE idempotency_keys SET email_id = ? WHERE ${own}`)
  const finish = db.prepare(`UPDATE idempotency_keys SET status = ?, body = ?, expires_at = ? WHERE ${own}`)
  const release = db.prepare(`DELETE FROM idempotency_keys WHERE ${own}`)
  const endAll = db.prepare('UPDATE idempotency_keys SET lease_until = ? WHERE expires_at IS NULL')
  const sweep = db.prepare(`
    DELETE FROM idempotency_keys WHERE rowid IN (
      SELECT rowid FROM idempotency_keys WHERE expires_at <= ?
      UNION ALL SELECT rowid FROM idempotency_keys WHERE expires_at IS NULL AND max(accepted_at, lease_until) <= ?
      LIMIT ?)`)

  const tryInsert = ({ scope, key, fingerprint, emailId, at, leaseMs }: Request): boolean =>
    insert.run(scope, key, fingerprint, emailId, at, at + leaseMs).changes === 1

  const claimKnown = (request: Request): Claim => {
    const { scope, key, fingerprint, at, leaseMs } = request
    const row = select.get(scope, key)
    const expiresAt = row?.['expires_at'] ?? null
    if (!row || (expiresAt !== null && Number(expiresAt) <= at)) {
      forget.run(scope, key)
      tryInsert(request)
      return firstClaim(request)
    }
    if (!isSame(row, fingerprint)) return { kind: 'mismatch' }
    if (expiresAt !== null) return answerOf(row)
    if (Number(row['lease_until']) > at) return { kind: 'in_flight' }
    takeOver.run(at + leaseMs, scope, key)
    const [emailId, acceptedAt] = [String(row['email_id']), Number(row['accepted_at'])]
    return { kind: 'claimed', emailId, acceptedAt, takenOver: true }
  }

  return {
    claim: async (request) =>
      db.writeOne(() => tryInsert(request)) ? firstClaim(request) : db.write(() => claimKnown(request)),
    replaceEmail: async ({ scope, key, from, to }) =>
      db.writeOne(() => replace.run(to, scope, key, from)).changes === 1,
    finish: async ({ scope, key, emailId, status, body, expiresAt }) => {
      db.writeOne(() => finish.run(status, body, expiresAt, scope, key, emailId))
    },
    release: async ({ scope, key, emailId }) => {
      db.writeOne(() => release.run(scope, key, emailId))
    },
    releaseAbandoned: async () => Number(db.writeOne(() => endAll.run(noLease)).changes),
    sweep: async (now, limit) => Number(db.writeOne(() => sweep.run(now, now - abandonedMs, limit)).changes),
  }
}
