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

/** Declares the tests that every audit log must pass. `written` returns all entries, oldest first. */
export const auditConformance = (adapter: string, open: () => Opened | Promise<Opened>) =>
  describe(`audit log in ${adapter}`, () => {
    it('stores every entry unchanged and in order, also a repeated one', async () => {
      const { audit, written } = await open()
      const all = [...entries, ...entries]
      for (const entry of all) await audit.record(entry)
      assert.deepEqual(await written(), all)
    })
  })
