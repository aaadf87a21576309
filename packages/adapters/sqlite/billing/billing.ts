import type { BillingAccount, InvoiceDraft } from '@postrider/domain/billing/account.ts'
import type { Charge } from '@postrider/domain/billing/charges.ts'
import type { PaymentNotice } from '@postrider/domain/billing/collections.ts'
import { newStatusFields, statusFields } from '@postrider/domain/billing/invoices.ts'
import { unbilledSince } from '@postrider/domain/billing/kind.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { BillingStore, InvoiceQuery, StoredInvoice } from '@postrider/ports/billing.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import type { Allowances } from '../ledger/allowances.ts'

type RecordEntry = (entry: AuditEntry) => void

/** Billing in SQLite. A state, its plan and its audit entry are one transaction. */
export const sqliteBilling = (db: SqliteDatabase, allowances: Allowances): BillingStore => {
  const record = auditEntries(db)
  return {
    ...accounts(db, allowances, record),
    ...ledger(db),
    ...invoiceList(db, record),
    ...coordination(db),
    ...noticeList(db),
  }
}

const accounts = (
  db: SqliteDatabase,
  allowances: Allowances,
  record: RecordEntry,
): Pick<BillingStore, 'read' | 'change' | 'due' | 'countDue'> => {
  const select = db.prepare('SELECT rev, doc FROM billing_accounts WHERE workspace = ?')
  const insert = db.prepare('INSERT INTO billing_accounts VALUES (?, 1, ?, ?)')
  const update = db.prepare('UPDATE billing_accounts SET rev = rev + 1, due_at = ?, doc = ? WHERE workspace = ?')
  const due = db.prepare('SELECT workspace FROM billing_accounts WHERE due_at <= ? ORDER BY due_at LIMIT ?')
  // A row without a document was never billed; its time is 0.
  const count = db.prepare(`
    SELECT count(*) AS count FROM billing_accounts LEFT JOIN allowances USING (workspace)
    WHERE due_at < :before
    AND (billing_accounts.doc IS NOT NULL OR coalesce(json_extract(allowances.doc, '$.since'), 0) < :since)`)
  const stored = (workspace: string) => {
    const row = select.get(workspace)
    const doc = row?.['doc'] ?? null
    const account = doc === null ? null : (JSON.parse(String(doc)) as BillingAccount)
    return { hasRow: row !== undefined, account, rev: account === null ? 0 : Number(row?.['rev']) }
  }
  return {
    read: async (workspace) =>
      db.read(() => {
        const { account, rev } = stored(workspace)
        return { allowance: allowances.get(workspace), account, rev }
      }),
    change: async ({ workspace, rev, account, allowance, dueAt }, audit) =>
      db.write(() => {
        const now = stored(workspace)
        if (now.rev !== rev) return false
        const doc = JSON.stringify(account)
        if (now.hasRow) update.run(dueAt, doc, workspace)
        else insert.run(workspace, dueAt, doc)
        if (Object.keys(allowance).length > 0) allowances.set(workspace, { ...allowances.get(workspace), ...allowance })
        if (audit) record(audit)
        return true
      }),
    due: async (now, limit) => db.read(() => due.all(now, limit)).map((row) => String(row['workspace'])),
    countDue: async (before) => Number(db.read(() => count.get({ before, since: unbilledSince(before) }))?.['count']),
  }
}

const ledger = (db: SqliteDatabase): Pick<BillingStore, 'addLines' | 'lines'> => {
  const insert = db.prepare('INSERT INTO billing_lines VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const select = db.prepare('SELECT doc FROM billing_lines WHERE workspace = ? ORDER BY month, id')
  return {
    addLines: async (lines) => {
      if (lines.length === 0) return
      db.write(() => {
        for (const line of lines) insert.run(line.id, line.workspace, line.month, JSON.stringify(line))
      })
    },
    lines: async (workspace) =>
      db.read(() => select.all(workspace)).map((row) => JSON.parse(String(row['doc'])) as Charge),
  }
}

/** The part of an invoice that is stored as text. */
type InvoiceDoc = Pick<InvoiceDraft, 'start' | 'end' | 'lines' | 'issuedAt'> & Pick<StoredInvoice, 'reason' | 'paidAt'>

const invoiceList = (
  db: SqliteDatabase,
  record: RecordEntry,
): Pick<BillingStore, 'addInvoice' | 'invoice' | 'invoices' | 'setStatus'> => {
  // A row without a seq gets the highest one plus 1; rows are never deleted, so there are no gaps.
  const insert = db.prepare(
    'INSERT INTO invoices (id, workspace, month, status, doc) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  )
  const select = db.prepare('SELECT * FROM invoices WHERE id = ?')
  const update = db.prepare('UPDATE invoices SET status = ?, doc = ? WHERE id = ?')
  const line = db.prepare('SELECT doc FROM billing_lines WHERE id = ?')
  const lineOf = (id: string): Charge[] => {
    const row = line.get(id)
    return row ? [JSON.parse(String(row['doc'])) as Charge] : []
  }
  const invoiceOf = (row: Row): StoredInvoice => {
    const { lines, ...doc } = JSON.parse(String(row['doc'])) as InvoiceDoc
    const [id, workspace, month] = [String(row['id']), String(row['workspace']), String(row['month'])]
    const status = row['status'] as StoredInvoice['status']
    return { id, workspace, month, status, seq: Number(row['seq']), ...doc, lines: lines.flatMap(lineOf) }
  }
  return {
    addInvoice: async (draft) => {
      const { id, workspace, month, start, end, lines, issuedAt } = draft
      const { status, ...fields } = newStatusFields(draft)
      const doc: InvoiceDoc = { start, end, lines, issuedAt, ...fields }
      db.writeOne(() => insert.run(id, workspace, month, status, JSON.stringify(doc)))
    },
    invoice: async (id, workspace) =>
      db.read(() => {
        const row = select.get(id)
        return row && (workspace === null || row['workspace'] === workspace) ? invoiceOf(row) : null
      }),
    invoices: async (query) => db.read(() => listStatement(db, query).map(invoiceOf)),
    setStatus: async ({ id, from, to, at, reason }, audit) =>
      db.write(() => {
        const row = select.get(id)
        if (!row || !from.includes(row['status'] as StoredInvoice['status'])) return null
        const doc = JSON.parse(String(row['doc'])) as InvoiceDoc
        const { status, ...fields } = statusFields(to, { at, reason })
        update.run(status, JSON.stringify({ ...doc, ...fields }), id)
        if (audit) record(audit)
        return invoiceOf(select.get(id) ?? row)
      }),
  }
}

const listStatement = (db: SqliteDatabase, { workspace, status, month, before, limit }: InvoiceQuery): Row[] => {
  const filters = { workspace, status, month }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const wheres = [
    ...given.map(([name]) => `${name} = :${name}`),
    ...(before === '' ? [] : ['seq < (SELECT seq FROM invoices WHERE id = :before)']),
  ]
  const where = wheres.length === 0 ? '' : `WHERE ${wheres.join(' AND ')}`
  const values = Object.fromEntries(given) as Record<string, string>
  return db
    .prepare(`SELECT * FROM invoices ${where} ORDER BY seq DESC LIMIT :limit`)
    .all({ ...values, ...(before === '' ? {} : { before }), limit })
}

const noticeList = (db: SqliteDatabase): Pick<BillingStore, 'addNotice' | 'notices' | 'removeNotice'> => {
  const insert = db.prepare('INSERT INTO payment_notices VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const select = db.prepare('SELECT doc FROM payment_notices ORDER BY at, id LIMIT ?')
  const remove = db.prepare('DELETE FROM payment_notices WHERE id = ?')
  return {
    addNotice: async (notice) =>
      void db.writeOne(() => insert.run(notice.id, notice.workspace, notice.at, JSON.stringify(notice))),
    notices: async (limit) =>
      db.read(() => select.all(limit)).map((row) => JSON.parse(String(row['doc'])) as PaymentNotice),
    removeNotice: async (id) => void db.writeOne(() => remove.run(id)),
  }
}

const coordination = (db: SqliteDatabase): Pick<BillingStore, 'lease' | 'endLease' | 'addEvent' | 'hasEvent'> => {
  const take = db.prepare(`
    INSERT INTO billing_lease VALUES (1, :owner, :until)
    ON CONFLICT DO UPDATE SET holder = :owner, until = :until WHERE holder = :owner OR until <= :now`)
  const end = db.prepare('DELETE FROM billing_lease WHERE holder = ?')
  const insert = db.prepare('INSERT INTO payment_events VALUES (?, ?) ON CONFLICT DO NOTHING')
  const select = db.prepare('SELECT 1 FROM payment_events WHERE id = ?')
  return {
    lease: async (owner, now, until) => db.writeOne(() => take.run({ owner, now, until })).changes === 1,
    endLease: async (owner) => void db.writeOne(() => end.run(owner)),
    addEvent: async (id, at) => db.writeOne(() => insert.run(id, at)).changes === 1,
    hasEvent: async (id) => db.read(() => select.get(id)) !== undefined,
  }
}
