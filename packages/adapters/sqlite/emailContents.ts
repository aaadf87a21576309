import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Attachment, Content } from '@postrider/domain/email/email.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from './database.ts'
import { owes, type Row, statusOf } from './storedEmail.ts'

/** New emails with their bodies, which stay in tables of their own. */
export const emailContents = (db: SqliteDatabase): Pick<EmailStore, 'insert' | 'tombstone' | 'content'> => {
  const insertEmail = db.prepare(`
    INSERT INTO emails (id, workspace, mode, lane, created_at, status, next_at, owing, doc)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const insertVoid = db.prepare(`
    INSERT INTO emails (id, workspace, mode, lane, created_at, status, owing, doc)
    VALUES (?, '', '', '', 0, '', 0, '') ON CONFLICT DO NOTHING`)
  const isVoid = db.prepare("SELECT workspace = '' AS void FROM emails WHERE id = ?")
  const insertContent = db.prepare('INSERT INTO contents (seq, html, text, headers) VALUES (?, ?, ?, ?)')
  const insertAttachment = db.prepare('INSERT INTO attachments VALUES (?, ?, ?, ?, ?, ?)')
  const selectContent = db.prepare(
    'SELECT seq, html, text, headers FROM contents WHERE seq = (SELECT seq FROM emails WHERE id = ?)',
  )
  const selectAttachments = db.prepare('SELECT * FROM attachments WHERE seq = ? ORDER BY number')
  const voided = (id: string): boolean => isVoid.get(id)?.['void'] === 1
  return {
    insert: async (email, { html, text, headers, attachments }) =>
      db.write(() => {
        const { id, workspace, mode, category, createdAt } = email
        const row = [id, workspace, mode, category, createdAt, statusOf(email), nextDueOf(email), owes(email)] as const
        const { changes, lastInsertRowid: seq } = insertEmail.run(...row, JSON.stringify(email))
        if (changes === 0) return voided(id) ? 'void' : 'exists'
        insertContent.run(seq, html, text, JSON.stringify(headers))
        for (const [number, { filename, contentType, contentId, content }] of attachments.entries()) {
          insertAttachment.run(seq, number, filename, contentType, contentId, content)
        }
        return 'inserted'
      }),
    tombstone: async (id) => db.writeOne(() => insertVoid.run(id)).changes === 1 || db.read(() => voided(id)),
    content: async (id) =>
      db.read(() => {
        const row = selectContent.get(id)
        return row ? contentOf(row, selectAttachments.all(Number(row['seq']))) : null
      }),
  }
}

const contentOf = (row: Row, attachments: Row[]): Content => ({
  html: row['html'] as string | null,
  text: row['text'] as string | null,
  headers: JSON.parse(String(row['headers'])) as Record<string, string>,
  attachments: attachments.map(attachmentOf),
})

const attachmentOf = (row: Row): Attachment => ({
  filename: String(row['filename']),
  contentType: String(row['content_type']),
  contentId: row['content_id'] as string | null,
  content: row['content'] as Uint8Array,
})
