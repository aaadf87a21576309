import type { ClaimedEmail } from '@postrider/domain/email/email.ts'
import { mostDeaths } from '@postrider/domain/email/leases.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from './database.ts'
import { emailDue } from './emailDue.ts'
import { emailOf, type Row } from './storedEmail.ts'

/** Who works on what: claims, and how they end. */
export const emailLeases = (
  db: SqliteDatabase,
  onParked: (id: string) => void,
): Pick<EmailStore, 'claim' | 'renew' | 'releaseLeases' | 'clearLeases'> => {
  // A lease that ends here without an outcome is a death; one too many, and the email waits for a person.
  const died = 'deaths + (lease_until IS NOT NULL)'
  const claim = db.prepare(`
    UPDATE emails SET deaths = ${died}, fence = fence + :raise,
      lease_until = iif(${died} >= ${mostDeaths}, NULL, :until), next_at = iif(${died} >= ${mostDeaths}, NULL, next_at)
    WHERE seq IN (SELECT value FROM json_each(:chosen)) AND due_at <= :now
    RETURNING seq, next_at, fence, deaths, doc`)
  const held = 'WHERE id = ? AND fence = ? AND lease_until IS NOT NULL'
  const renew = db.prepare(`UPDATE emails SET lease_until = ? ${held}`)
  const releaseLeases = db.prepare(`UPDATE emails SET lease_until = NULL ${held}`)
  const clear = db.prepare(`
    UPDATE emails SET deaths = deaths + 1, lease_until = NULL
    WHERE seq IN (SELECT seq FROM emails INDEXED BY emails_due WHERE due_at IS NOT NULL AND lease_until IS NOT NULL)`)
  const choose = emailDue(db)
  // A claim that was lost with its commit leaves a holder behind. Raised by more than before, no fence comes twice.
  let lost = 0
  db.onLost(() => {
    lost += 1
  })

  const claimed = (row: Row): ClaimedEmail[] => {
    const email = emailOf(row)
    if (row['next_at'] !== null) return [{ email, fence: Number(row['fence']), deaths: Number(row['deaths']) }]
    onParked(email.id)
    return []
  }
  return {
    claim: async (query) => {
      const chosen = await choose(query)
      if (chosen.length === 0) return []
      const { now, leaseMs } = query
      const given = { chosen: JSON.stringify(chosen), now, until: now + leaseMs, raise: 1 + lost }
      const rows = db.writeOne(() => claim.all(given))
      return rows.sort(byAge).flatMap(claimed)
    },
    renew: async (asked, leaseUntil) =>
      db.write(
        () =>
          new Set(asked.filter(({ id, fence }) => renew.run(leaseUntil, id, fence).changes === 1).map(({ id }) => id)),
      ),
    releaseLeases: async (asked) =>
      db.write(() => {
        for (const { id, fence } of asked) releaseLeases.run(id, fence)
      }),
    clearLeases: async () => Number(db.writeOne(() => clear.run()).changes),
  }
}

/** Oldest first; `RETURNING` promises no order. */
const byAge = (a: Row, b: Row): number =>
  Number(a['next_at']) - Number(b['next_at']) || Number(a['seq']) - Number(b['seq'])
