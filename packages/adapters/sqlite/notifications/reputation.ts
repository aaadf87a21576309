import { hasOutcomes, isRaised, type Reputation } from '@postrider/domain/reputation/reputation.ts'
import type { ReputationStore } from '@postrider/ports/reputation.ts'
import type { SqliteDatabase } from '../client/database.ts'

/** Outcomes and reputations in SQLite. */
export const sqliteReputation = (db: SqliteDatabase): ReputationStore => {
  const add = db.prepare(`
    INSERT INTO outcome_hours VALUES (:workspace, :hour, :delivered, :bounced, :complained)
    ON CONFLICT DO UPDATE SET delivered = delivered + excluded.delivered, bounced = bounced + excluded.bounced,
      complained = complained + excluded.complained`)
  const troubled = db.prepare(`
    SELECT workspace FROM outcome_hours INDEXED BY outcome_hours_by_hour
    WHERE hour >= ? AND bounced + complained > 0
    UNION SELECT workspace FROM reputations WHERE raised = 1`)
  const outcomes = db.prepare(`
    SELECT hour AS at, delivered, bounced, complained FROM outcome_hours WHERE workspace = ? AND hour >= ?`)
  const read = db.prepare('SELECT doc, version FROM reputations WHERE workspace = ?')
  const insert = db.prepare('INSERT INTO reputations VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING')
  const update = db.prepare(`
    UPDATE reputations SET raised = ?, version = version + 1, doc = ? WHERE workspace = ? AND version = ?`)
  const remove = db.prepare(`
    DELETE FROM outcome_hours WHERE (workspace, hour) IN (
      SELECT workspace, hour FROM outcome_hours INDEXED BY outcome_hours_by_hour WHERE hour < ? LIMIT ?)`)
  return {
    addOutcomes: async (counts) =>
      db.write(() => {
        for (const one of counts.filter(hasOutcomes)) add.run(one)
      }),
    troubled: async (since) => db.read(() => troubled.all(since)).map((row) => String(row['workspace'])),
    outcomes: async (workspace, since) =>
      db
        .read(() => outcomes.all(workspace, since))
        .map((row) => ({
          at: Number(row['at']),
          delivered: Number(row['delivered']),
          bounced: Number(row['bounced']),
          complained: Number(row['complained']),
        })),
    reputation: async (workspace) => {
      const row = db.read(() => read.get(workspace))
      if (!row) return { reputation: {}, version: 0 }
      return { reputation: JSON.parse(String(row['doc'])) as Reputation, version: Number(row['version']) }
    },
    writeReputation: async (workspace, reputation, version) => {
      const [raised, doc] = [isRaised(reputation) ? 1 : 0, JSON.stringify(reputation)]
      const written = db.writeOne(() =>
        version === 0 ? insert.run(workspace, raised, doc) : update.run(raised, doc, workspace, version),
      )
      return written.changes === 1
    },
    removeOutcomes: async (before, limit) => Number(db.writeOne(() => remove.run(before, limit)).changes),
  }
}
