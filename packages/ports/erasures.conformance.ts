import assert from 'node:assert/strict'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { Audit, AuditEntry } from './audit.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { ErasureStore, StoredErasure } from './erasures.ts'

export type ErasureStores = { erasures: ErasureStore; audit: Audit }

const erasure = (over: Partial<StoredErasure> = {}): StoredErasure => ({
  id: newId('era'),
  workspace: 'ws_1',
  address: 'ann@example.com',
  createdAt: 1_000,
  completedAt: null,
  nextAt: 1_000,
  emails: 0,
  waiting: 0,
  ...over,
})

const everything = { ...noAuditFilter, workspace: null, limit: 100 }

/** Declares the tests that every store of erasures must pass, and of what they remove from the audit log. */
export const erasuresConformance = (adapter: string, open: () => ErasureStores | Promise<ErasureStores>) =>
  describe(`erasures in ${adapter}`, () => {
    const idsOf = (all: readonly StoredErasure[]) => all.map(({ id }) => id)

    it('are stored with their audit entry, and read by their workspace', async () => {
      const { erasures, audit } = await open()
      const [one, entry] = [erasure(), anEntry({ action: 'erasure.create' })]
      await erasures.insert(one, entry)
      assert.deepEqual(await erasures.get('ws_1', one.id), one)
      assert.equal(await erasures.get('ws_2', one.id), null)
      assert.equal(await erasures.get('ws_1', 'era_none'), null)
      assert.deepEqual(await audit.list(everything), [entry])
    })

    it('are counted by workspace while they are not done', async () => {
      const { erasures } = await open()
      const [first, second, other] = [erasure(), erasure(), erasure({ workspace: 'ws_2' })]
      assert.equal(await erasures.countOpen('ws_1', 10), 0)
      for (const one of [first, second, other]) await erasures.insert(one, anEntry())
      assert.deepEqual([await erasures.countOpen('ws_1', 10), await erasures.countOpen('ws_1', 1)], [2, 1])
      await erasures.update({ ...first, nextAt: 9_000 }, first.nextAt)
      await erasures.update({ ...second, address: '', completedAt: 2_000 }, second.nextAt)
      assert.deepEqual([await erasures.countOpen('ws_1', 10), await erasures.countOpen('ws_2', 10)], [1, 1])
    })

    it('are due at their time, the longest overdue first, until they are done', async () => {
      const { erasures } = await open()
      const [late, early, later] = [erasure({ nextAt: 2_000 }), erasure({ nextAt: 1_000 }), erasure({ nextAt: 3_000 })]
      for (const one of [late, early, later]) await erasures.insert(one, anEntry())
      assert.deepEqual(idsOf(await erasures.due(2_000, 10)), [early.id, late.id])
      assert.deepEqual(idsOf(await erasures.due(3_000, 1)), [early.id])
      await erasures.update({ ...early, nextAt: 9_000, waiting: 2 }, early.nextAt)
      const done = { ...late, address: '', completedAt: 2_500, emails: 3 }
      await erasures.update(done, late.nextAt)
      assert.deepEqual(idsOf(await erasures.due(3_000, 10)), [later.id])
      assert.deepEqual(await erasures.get('ws_1', late.id), done)
      assert.deepEqual(idsOf(await erasures.due(9_000, 10)), [later.id, early.id])
    })

    // Those of other workspaces waited until all older ones of one workspace were done.
    it('are due round-robin across workspaces', async () => {
      const { erasures } = await open()
      const many = [1_000, 1_100, 1_200, 1_300].map((nextAt) => erasure({ nextAt }))
      const [second, third] = [
        erasure({ workspace: 'ws_2', nextAt: 1_900 }),
        erasure({ workspace: 'ws_3', nextAt: 1_400 }),
      ]
      for (const one of [second, ...many.toReversed(), third]) await erasures.insert(one, anEntry())
      const [oldest, ...rest] = idsOf(many)
      const inTurns = [oldest, third.id, second.id, ...rest]
      assert.deepEqual(idsOf(await erasures.due(2_000, 10)), inTurns)
      for (const limit of [1, 2, 3, 4, 5])
        assert.deepEqual(idsOf(await erasures.due(2_000, limit)), inTurns.slice(0, limit))
      assert.deepEqual(idsOf(await erasures.due(1_850, 2)), inTurns.slice(0, 2))
    })

    for (const [what, position] of [
      ['the responses to batches are', { responsePosition: { part: 'live', after: 'a key' } }],
      ['the audit log is', { responsePosition: null, logPosition: { at: 7, id: 'aud_1' } }],
    ] as const)
      it(`store how far ${what} read`, async () => {
        const { erasures } = await open()
        const one = erasure()
        await erasures.insert(one, anEntry())
        const begun = { ...one, ...position }
        await erasures.update(begun, one.nextAt)
        assert.ok(await erasures.claim(begun, 5_000))
        assert.deepEqual(await erasures.get('ws_1', one.id), { ...begun, nextAt: 5_000 })
      })

    it('are claimed by one process, and due again when the claim has expired', async () => {
      const { erasures } = await open()
      const one = erasure()
      await erasures.insert(one, anEntry())
      const claims = await Promise.all([1, 2, 3].map(() => erasures.claim(one, 5_000)))
      assert.deepEqual(claims.filter(Boolean), [true])
      assert.deepEqual(await erasures.due(4_999, 10), [])
      const [again] = await erasures.due(5_000, 10)
      assert.deepEqual(again, { ...one, nextAt: 5_000 })
      await erasures.update({ ...again, address: '', completedAt: 6_000 }, 5_000)
      assert.equal(await erasures.claim(again, 9_000), false)
    })

    // Regression: the update of a process that was stopped for a minute stored the address of a finished erasure again.
    it('are not changed by a process whose claim has expired', async () => {
      const { erasures } = await open()
      const one = erasure()
      await erasures.insert(one, anEntry())
      assert.ok(await erasures.claim(one, 5_000))
      const again = { ...one, nextAt: 5_000 }
      const late = { ...one, logPosition: { at: 7, id: 'aud_1' }, nextAt: 1_500 }
      assert.ok(await erasures.claim(again, 9_000))
      assert.equal(await erasures.update(late, 5_000), false)
      const done = { ...again, address: '', completedAt: 6_000, nextAt: 9_000 }
      assert.equal(await erasures.update(done, 9_000), true)
      for (const until of [5_000, 9_000]) assert.equal(await erasures.update(late, until), false)
      assert.deepEqual(await erasures.get('ws_1', one.id), done)
    })

    /** Stores a running erasure and an entry with its address. */
    const withEntry = async (over: Partial<AuditEntry> = {}) => {
      const { erasures, audit } = await open()
      const [one, entry] = [erasure(), anEntry({ after: { email: 'ann@example.com' }, ...over })]
      await erasures.insert(one, anEntry({ at: 1 }))
      await audit.record(entry)
      const redactions = [{ at: 2_000, erasure: one.id, fields: ['after.email'] }]
      const redacted = { ...entry, after: { email: 'removed@removed.invalid' }, redactions }
      const stored = async () => (await audit.list(everything)).find(({ id }) => id === entry.id)
      return { erasures, audit, one, entry, redacted, stored }
    }

    it('replace the address in an entry of the audit log, and record the redaction', async () => {
      const { audit, redacted, stored } = await withEntry()
      await audit.redact(redacted)
      assert.deepEqual(await stored(), redacted)
    })

    it('change no other field of an audit entry', async () => {
      const { audit, redacted, entry, stored } = await withEntry()
      const other = { at: 7, actor: 'usr_9', action: 'other.act', target: 'x', clientAddress: '' }
      await audit.redact({ ...redacted, ...other })
      const found = await stored()
      assert.deepEqual([found?.at, found?.actor, found?.action], [entry.at, entry.actor, entry.action])
    })

    for (const [name, over] of Object.entries({
      'of another workspace': { workspace: 'ws_2' },
      'that belongs to no workspace': { workspace: '' },
    })) {
      it(`cannot change a line ${name}`, async () => {
        const { audit, redacted, entry, stored } = await withEntry(over)
        await assert.rejects(audit.redact(redacted), /never changed/)
        assert.deepEqual(await stored(), entry)
      })
    }

    it('an erasure that is done or unknown cannot change an audit entry', async () => {
      const { erasures, audit, redacted, one, entry, stored } = await withEntry()
      const unknown = { ...redacted, redactions: [{ at: 2_000, erasure: 'era_none', fields: [] }] }
      await assert.rejects(audit.redact(unknown), /never changed/)
      await erasures.update({ ...one, completedAt: 2_000, address: '' }, one.nextAt)
      await assert.rejects(audit.redact(redacted), /never changed/)
      assert.deepEqual(await stored(), entry)
    })
  })
