import { newId } from '@postrider/kit/ids.ts'
import type { AuditEntry, EntryOf } from './audit.ts'

/** An audit entry; the tests of stores pass one with each change. */
export const anEntry = (over: Partial<AuditEntry> = {}): AuditEntry => ({
  id: newId('aud'),
  workspace: 'ws_1',
  at: 1_000,
  actor: 'usr_1',
  clientAddress: '203.0.113.9',
  action: 'thing.change',
  target: 'thing_1',
  before: { name: 'a' },
  after: { name: 'b' },
  ...over,
})

/** Returns an entry for every change that changes something. */
export const entryIfChanged: EntryOf<unknown> = (before, after) =>
  JSON.stringify(before) === JSON.stringify(after) ? null : anEntry()
