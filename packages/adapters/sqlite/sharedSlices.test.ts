import assert from 'node:assert/strict'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { StoredTemplate } from '@postrider/ports/templates.ts'
import { anEmail } from '../../../test/support/anEmail.ts'
import { recordedSlices } from '../../../test/support/recordedSlices.ts'
import { useDatabase } from '../../../test/support/useDatabase.ts'
import { accountsOperator } from './accounts/operator.ts'
import { sqliteAudit } from './audit/audit.ts'
import type { SqliteDatabase } from './client/database.ts'
import { sqliteEmails } from './emails/emails.ts'
import { sqliteEventFeed } from './events/eventFeed.ts'
import { sqliteIdempotency } from './idempotency.ts'
import { sqliteTemplates } from './templates.ts'

const { workspace } = anEmail()
const content = { html: null, text: 'Hi', headers: {}, attachments: [] }

const template = (name: string, bodyLength: number): StoredTemplate => ({
  id: `tpl_${name}`,
  workspace,
  name,
  subject: 's'.repeat(20_000),
  htmlBody: null,
  textBody: 't'.repeat(bodyLength),
  variables: [],
  notices: [],
  version: 1,
  createdAt: 1,
  updatedAt: 1,
})

// In each event loop iteration one slice runs in the whole process. Work that only waited for an iteration ran in one
// with the long work of all other requests, which delayed mail by its sum.
describe('long work in SQLite in the slices of the process', () => {
  let db: SqliteDatabase
  let owners: string[]
  useDatabase((opened) => {
    db = opened
    owners = []
  })

  it('searches the emails of a filter that matches nothing', async () => {
    const emails = sqliteEmails(db, undefined, recordedSlices(owners))
    for (let number = 0; number < 300; number++)
      await emails.insert(anEmail({ id: `em_${number}`, createdAt: number, subject: `Number ${number}` }), content)
    await emails.list({ ...noFilter, workspace, limit: 1, now: 500 })
    assert.deepEqual(owners, [])
    await emails.list({ ...noFilter, workspace, limit: 100, now: 500, subject: 'um' })
    assert.deepEqual(new Set(owners), new Set([workspace]))
  })

  it('searches the audit log', async () => {
    const audit = sqliteAudit(db, recordedSlices(owners))
    for (let number = 0; number < 4_100; number++) {
      const [actor, action] = number % 2 === 0 ? ['usr_1', 'key.create'] : ['usr_2', 'key.revoke']
      await audit.record(anEntry({ id: `aud_${number}`, workspace, at: number, actor, action }))
    }
    const [actor, action] = [{ is: 'usr_1' }, { is: 'key.revoke' }]
    assert.deepEqual(await audit.list({ ...noAuditFilter, workspace, limit: 50, actor, action }), [])
    assert.deepEqual(new Set(owners), new Set([workspace]))
  })

  it('reads the feed of events', async () => {
    const insert = db.prepare("INSERT INTO events (workspace, mode, at, id, email) VALUES (?, 'live', ?, ?, 'em_1')")
    db.write(() => {
      for (let number = 0; number < 300; number++) insert.run(workspace, number, `evt_${number}`)
    })
    const query = {
      workspace,
      mode: 'live',
      types: new Set(['email.accepted'] as const),
      order: 'asc',
      after: null,
      until: 300,
      limit: 10,
    } as const
    await sqliteEventFeed(db, undefined, recordedSlices(owners)).readEvents(query)
    assert.deepEqual(new Set(owners), new Set([workspace]))
  })

  it('searches the users', async () => {
    const insert = db.prepare('INSERT INTO users (id, email, password_hash, created_at) VALUES (?, ?, ?, 0)')
    for (let number = 0; number < 300; number++)
      db.write(() => insert.run(`usr_${number}`, `a${number}@example.com`, ''))
    const { findUsers } = accountsOperator(db, recordedSlices(owners))
    await findUsers({ before: null, limit: 10, text: 'none', disabled: null, operator: null })
    assert.deepEqual(owners, [''])
  })

  it('writes each part of long content', async () => {
    const attachments = [
      { filename: 'a', contentType: 'image/png', contentId: null, content: new Uint8Array(1_000_000) },
    ]
    await sqliteEmails(db, undefined, recordedSlices(owners)).insert(anEmail({ id: 'em_1' }), {
      ...content,
      attachments,
    })
    assert.equal(owners.length, 4)
  })

  it('writes long templates, and reads lists of them', async () => {
    const templates = sqliteTemplates(db, recordedSlices(owners))
    await templates.insert(template('short', 1_000), 100, anEntry())
    assert.deepEqual(owners, [])
    const long = template('long', 100_000)
    await templates.insert(long, 100, anEntry())
    await templates.update({ ...long, version: 2 }, anEntry())
    assert.deepEqual(owners, [workspace, workspace])
    for (let number = 0; number < 30; number++) await templates.insert(template(`t${number}`, 10), 100, anEntry())
    await templates.list(workspace, null, 30)
    assert.deepEqual(owners.slice(2), [workspace, workspace])
  })

  // One step read and converted the response to a batch, which may have 9 MB.
  it('reads a long response to a repeated request', async () => {
    const keys = sqliteIdempotency(db, recordedSlices(owners))
    const scope = `${workspace} live POST /api/v1/emails/batch`
    const request = { scope, fingerprint: Uint8Array.of(1), emailId: 'bat_1', at: 1, leaseMs: 1, requestId: 'req_1' }
    for (const [key, body] of [
      ['short', 'x'.repeat(60_000)],
      ['long', 'x'.repeat(600_000)],
    ] as const) {
      await keys.claim({ ...request, key })
      await keys.finish({ scope, key, emailId: 'bat_1', status: 202, body, expiresAt: 1_000 })
      await keys.claim({ ...request, key })
      assert.deepEqual(owners, key === 'short' ? [] : [scope])
    }
  })
})
