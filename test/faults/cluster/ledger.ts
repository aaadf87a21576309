import type { LineDoc, MonthDoc } from '@postrider/adapters/mongo/ledger/docs.ts'
import type { Db } from 'mongodb'

/** A workspace's ledger, counted here anew, in sends: what its numbers say, what its lines come to, and entries on their way. */
export type Ledger = { numbers: number; lines: number; pending: number }

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

export const ledgerOf = async (db: Db, workspace: string): Promise<Ledger> => {
  const months = await db.collection<MonthDoc>('ledger_months').find({ workspace }).toArray()
  const lines = await db.collection<LineDoc>('ledger_lines').find({ workspace }).toArray()
  return {
    numbers: sumOf(months.map(({ used }) => used)),
    lines: sumOf(lines.map(({ sends }) => sends)),
    pending: sumOf(months.map(({ pending }) => pending.length)),
  }
}
