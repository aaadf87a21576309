import assert from 'node:assert/strict'
import type { Audit, AuditEntry } from './audit.ts'

const entries: AuditEntry[] = [
  {
    workspace: 'ws_1',
    at: 1_000,
    actor: 'usr_1',
    action: 'key.revoke',
    target: 'key_1',
    detail: { name: 'CI', scopes: 2, live: true, expires: null },
  },
  { workspace: '', at: 1_000, actor: 'system', action: 'session.refuse', target: '', detail: {} },
]

type Opened = { audit: Audit; written(): Promise<AuditEntry[]> }

/** The exam of an audit log. `written` reads back all of it, oldest first; no port needs that. */
export const auditConformance = (adapter: string, open: () => Opened | Promise<Opened>) =>
  describe(`the audit log in ${adapter}`, () => {
    it('keeps every entry as it was, in order, the same one twice too', async () => {
      const { audit, written } = await open()
      const all = [...entries, ...entries]
      for (const entry of all) await audit.record(entry)
      assert.deepEqual(await written(), all)
    })
  })
