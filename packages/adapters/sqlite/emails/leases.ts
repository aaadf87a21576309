import type { ClaimedEmail } from '@postrider/domain/email/email.ts'
import { claimOutcome } from '@postrider/domain/email/leases.ts'
import { type DueMail, fairChoice } from '@postrider/domain/fairness/fairClaim.ts'
import type { ClaimQuery, EmailStore } from '@postrider/ports/emails.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { fenceIncrements } from '../client/groupCommit.ts'
import type { RecordScheduler } from '../client/recordScheduler.ts'
import { type QueueTally, waitingOf } from './queueCounts.ts'
import { deathsAfterLease, emailOf } from './rows.ts'

/** `schedule`: when long records are claimed. `onParked`: called when a claim parks an email. */
type ClaimParts = Pick<QueueTally, 'move'> & { onParked(id: string): void; schedule: RecordScheduler }

/** Claims and their leases. */
export const emailLeases = (
  db: SqliteDatabase,
  parts: ClaimParts,
): Pick<EmailStore, 'claim' | 'renew' | 'releaseLeases' | 'clearLeases'> => {
  const leased = 'WHERE id = ? AND fence = ? AND lease_until IS NOT NULL'
  const renew = db.prepare(`UPDATE emails SET lease_until = ? ${leased}`)
  const releaseLeases = db.prepare(`UPDATE emails SET lease_until = NULL ${leased}`)
  const clear = db.prepare(`
    UPDATE emails SET deaths = ${deathsAfterLease}, lease_until = NULL
    WHERE seq IN (SELECT seq FROM emails INDEXED BY emails_due WHERE due_at IS NOT NULL AND lease_until IS NOT NULL)`)
  return {
    claim: claims(db, parts),
    renew: async (leases, leaseUntil) =>
      db.write(
        () =>
          new Set(leases.filter(({ id, fence }) => renew.run(leaseUntil, id, fence).changes === 1).map(({ id }) => id)),
      ),
    releaseLeases: async (leases) =>
      db.write(() => {
        for (const { id, fence } of leases) releaseLeases.run(id, fence)
      }),
    clearLeases: async () => Number(db.writeOne(() => clear.run()).changes),
  }
}

const claims = (db: SqliteDatabase, { move, onParked, schedule }: ClaimParts): EmailStore['claim'] => {
  const claimedColumns = 'seq, next_at, status, fence, deaths, doc'
  const among = 'seq IN (SELECT value FROM json_each(:chosen)) AND due_at <= :now'
  // Nearly every claim is of mail without a lease whose workers never died: one statement for all of it.
  const claimFresh = db.prepare(`
    UPDATE emails SET fence = fence + :increment, lease_until = :until
    WHERE ${among} AND lease_until IS NULL AND deaths = 0 RETURNING ${claimedColumns}`)
  const stillDue = db.prepare(`SELECT seq, deaths, lease_until FROM emails WHERE ${among}`)
  const lease = db.prepare(`
    UPDATE emails SET fence = fence + :increment, deaths = :deaths, lease_until = :until
    WHERE seq = :seq RETURNING ${claimedColumns}`)
  const park = db.prepare(`
    UPDATE emails SET fence = fence + :increment, deaths = :deaths, lease_until = NULL, next_at = NULL, parked_at = :now
    WHERE seq = :seq RETURNING ${claimedColumns}`)
  const choose = dueEmails(db)
  const sizes = db.prepare(`
    SELECT seq, workspace, octet_length(doc) AS bytes FROM emails WHERE seq IN (SELECT value FROM json_each(?))`)
  const fenceIncrement = fenceIncrements(db)

  const claimed = (row: Row): ClaimedEmail => ({
    email: emailOf(row),
    fence: Number(row['fence']),
    deaths: Number(row['deaths']),
  })
  const readClaim = (row: Row) => ({ row, claimed: claimed(row) })
  const isParked = (row: Row): boolean => row['next_at'] === null

  const claimSome = (chosen: readonly number[], { now, leaseMs }: ClaimQuery): Row[] => {
    const due = { chosen: JSON.stringify(chosen), now }
    const change = { until: now + leaseMs, increment: fenceIncrement() }
    const claimAfterDeaths = (row: Row): Row[] => {
      const [seq, hasLease] = [seqOf(row), row['lease_until'] !== null]
      const { kind, deaths } = claimOutcome({ deaths: Number(row['deaths']), hasLease })
      if (kind === 'parked') return park.all({ seq, deaths, now, increment: change.increment })
      return lease.all({ seq, deaths, ...change })
    }
    const { rows, parked } = db.writeOne(() => {
      const rows = claimFresh.all({ ...due, ...change })
      if (rows.length < chosen.length) rows.push(...stillDue.all(due).flatMap(claimAfterDeaths))
      const parked = rows.filter(isParked).map((row) => ({ email: emailOf(row), waited: waitingOf(row['status'], 0) }))
      for (const { email, waited } of parked) move(email, waited, null)
      return { rows, parked }
    })
    for (const { email } of parked) onParked(email.id)
    return rows.filter((row) => !isParked(row))
  }

  return async (query) => {
    const chosen = await choose(query)
    if (chosen.length === 0) return []
    const [immediate, later] = [[] as number[], [] as { seq: number; turn: Promise<void> }[]]
    for (const row of db.read(() => sizes.all(JSON.stringify(chosen)))) {
      const turn = schedule(String(row['workspace']), Number(row['bytes']))
      if (turn) later.push({ seq: seqOf(row), turn })
      else immediate.push(seqOf(row))
    }
    const found = immediate.length === 0 ? [] : claimSome(immediate, query).map(readClaim)
    try {
      for (const { seq, turn } of later) {
        await turn
        found.push(...claimSome([seq], query).map(readClaim))
      }
    } catch (thrown) {
      // What is claimed already has its leases.
      if (found.length === 0) throw thrown
    }
    return found.sort((a, b) => byAge(a.row, b.row)).map((one) => one.claimed)
  }
}

/** Oldest first; `RETURNING` has no order. */
const byAge = (a: Row, b: Row): number =>
  Number(a['next_at']) - Number(b['next_at']) || Number(a['seq']) - Number(b['seq'])

/** Returns a function that chooses the emails that a claim takes, by `seq`. */
const dueEmails = (db: SqliteDatabase): ((query: ClaimQuery) => Promise<number[]>) => {
  const due = 'lane = :lane AND due_at <= :now ORDER BY due_at LIMIT :limit'
  const oldest = db.prepare(`SELECT seq, workspace FROM emails WHERE ${due}`)
  const oldestOf = db.prepare(`SELECT seq FROM emails WHERE workspace = :workspace AND ${due}`)
  // There are few ids and there may be much due mail: the plus signs keep SQLite from using the index of due mail.
  const among = db.prepare(`
    SELECT seq FROM emails WHERE id IN (SELECT value FROM json_each(:ids)) AND +lane = :lane AND +due_at <= :now
    ORDER BY due_at LIMIT :limit`)
  const next = db.prepare(`
    SELECT workspace, due_at FROM emails WHERE lane = ? AND workspace > ? AND due_at IS NOT NULL
    ORDER BY workspace, due_at LIMIT 1`)
  const choose = fairChoice()

  const mail = ({ lane, now }: ClaimQuery): DueMail<number> => ({
    oldest: (limit) =>
      db
        .read(() => oldest.all({ lane, now, limit }))
        .map((row) => ({ key: seqOf(row), workspace: String(row['workspace']) })),
    oldestOf: (workspace, limit) => db.read(() => oldestOf.all({ lane, now, limit, workspace })).map(seqOf),
    workspaceAfter: (workspace) => {
      const row = db.read(() => next.get(lane, workspace))
      return row ? { workspace: String(row['workspace']), dueAt: Number(row['due_at']) } : null
    },
  })

  return async (query) => {
    const { ids, lane, now, limit } = query
    if (ids === undefined) return choose(mail(query), query)
    return db.read(() => among.all({ lane, now, limit, ids: JSON.stringify(ids) })).map(seqOf)
  }
}

const seqOf = (row: Row): number => Number(row['seq'])
