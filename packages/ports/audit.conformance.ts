import assert from 'node:assert/strict'
import { actionMatch, actorMatch, noAuditFilter } from '@postrider/domain/audit/entry.ts'
import type { Audit, AuditEntry, AuditQuery } from './audit.ts'
import { anEntry } from './auditFixtures.conformance.ts'

const everything: AuditQuery = { ...noAuditFilter, workspace: null, limit: 100 }

type Opened = {
  audit: Audit
  /** Stores an entry as release 0.1 does, and returns how it is read, without its id. */
  storeFormer(entry: Pick<AuditEntry, 'workspace' | 'at' | 'actor'>): Promise<Omit<AuditEntry, 'id'>>
}

const targetsOf = (entries: readonly AuditEntry[]): string[] => entries.map(({ target }) => target)

/** Declares the tests that every audit log must pass. */
export const auditConformance = (adapter: string, open: () => Opened | Promise<Opened>) =>
  describe(`audit log in ${adapter}`, () => {
    const withEntries = async (entries: readonly Partial<AuditEntry>[]) => {
      const opened = await open()
      for (const [index, entry] of entries.entries())
        await opened.audit.record(anEntry({ target: `${index}`, ...entry }))
      const find = async (over: Partial<AuditQuery>) => targetsOf(await opened.audit.list({ ...everything, ...over }))
      return { ...opened, find }
    }

    it('returns an entry as it was stored, and stores a repeated one once', async () => {
      const { audit } = await open()
      const entries = [
        anEntry({
          at: 2_000,
          before: { scopes: ['a', 'b'], rate: null, nested: { 'a.b': 1, $set: true } },
          after: null,
        }),
        anEntry({ at: 1_000, workspace: '', actor: 'system', clientAddress: '', target: '', before: null, after: {} }),
      ]
      for (const entry of [...entries, ...entries]) await audit.record(entry)
      assert.deepEqual(await audit.list(everything), entries)
    })

    it('returns the newest entries first, entries of the same time by id, in pages that later entries do not change', async () => {
      const { audit, find } = await withEntries([])
      const entries = Array.from({ length: 10 }, (_, n) => anEntry({ at: 1_000 + (n % 3), target: `${n}` }))
      for (const entry of entries) await audit.record(entry)
      const order = (one: AuditEntry, other: AuditEntry) => other.at - one.at || (one.id < other.id ? 1 : -1)
      const sorted = targetsOf(entries.toSorted(order))
      assert.deepEqual(await find({}), sorted)
      const paged: string[] = []
      for (let before: AuditQuery['before'] = null; ; ) {
        const page = await audit.list({ ...everything, workspace: 'ws_1', before, limit: 3 })
        paged.push(...targetsOf(page))
        await audit.record(anEntry({ at: 5_000, target: 'later' }))
        const last = page.at(-1)
        if (!last) break
        before = last
      }
      assert.deepEqual(paged, sorted)
    })

    it('returns the entries of a workspace, or of all for the operator', async () => {
      const { find } = await withEntries([
        { at: 1, workspace: 'ws_1' },
        { at: 2, workspace: 'ws_2' },
        { at: 3, workspace: '' },
      ])
      assert.deepEqual(await find({ workspace: 'ws_1' }), ['0'])
      assert.deepEqual(await find({ workspace: 'ws_3' }), [])
      assert.deepEqual(await find({}), ['2', '1', '0'])
    })

    it('finds entries by actor, action and time', async () => {
      const { find } = await withEntries([
        { at: 1_000, actor: 'usr_1', action: 'key.create' },
        { at: 2_000, actor: 'usr_2', action: 'key.revoke' },
        { at: 3_000, actor: 'key_1', action: 'email.cancel' },
        { at: 4_000, actor: 'operator', action: 'keys.other' },
        { at: 5_000, actor: 'system', action: 'domain.status' },
      ])
      const cases: [query: Partial<AuditQuery>, found: string[]][] = [
        [{ actor: actorMatch('usr_1') }, ['0']],
        [{ actor: actorMatch('user') }, ['1', '0']],
        [{ actor: actorMatch('key') }, ['2']],
        [{ actor: actorMatch('operator') }, ['3']],
        [{ actor: actorMatch('usr') }, []],
        [{ action: actionMatch('key.revoke') }, ['1']],
        [{ action: actionMatch('key.*') }, ['1', '0']],
        [{ action: actionMatch('key') }, []],
        [{ createdAfter: 2_000 }, ['4', '3', '2']],
        [{ createdBefore: 2_000 }, ['0']],
        [{ createdAfter: 1_000, createdBefore: 5_000, actor: actorMatch('user'), action: actionMatch('key.*') }, ['1']],
      ]
      for (const [query, found] of cases) {
        assert.deepEqual(await find(query), found, JSON.stringify(query))
        assert.deepEqual(await find({ ...query, workspace: 'ws_1' }), found, JSON.stringify(query))
      }
    })

    it('returns which user acted as the operator, and finds the entries by that user', async () => {
      const { audit, find } = await withEntries([
        { at: 1_000, actor: 'usr_1' },
        { at: 2_000, actor: 'operator', operator: 'usr_1' },
        { at: 3_000, actor: 'operator', operator: 'usr_2' },
        { at: 4_000, actor: 'operator' },
      ])
      const entries = await audit.list(everything)
      assert.deepEqual(
        entries.map((entry) => ('operator' in entry ? entry.operator : null)),
        [null, 'usr_2', 'usr_1', null],
      )
      assert.deepEqual(await find({ actor: actorMatch('operator') }), ['3', '2', '1'])
      assert.deepEqual(await find({ actor: actorMatch('usr_1') }), ['0'])
      assert.deepEqual(await find({ actor: actorMatch('usr_1'), orOperator: 'usr_1' }), ['1', '0'])
      const before = entries[2] ?? assert.fail()
      assert.deepEqual(await find({ actor: actorMatch('usr_1'), orOperator: 'usr_1', before }), ['0'])
    })

    it('reads no further when the reader has gone', async () => {
      const { audit } = await withEntries([{ at: 1 }, { at: 2 }])
      assert.deepEqual(await audit.list({ ...everything, actor: actorMatch('user') }, AbortSignal.abort()), [])
    })

    it('returns entries of release 0.1 among the others, each with an id of its own', async () => {
      const { audit, storeFormer } = await open()
      const stored: Omit<AuditEntry, 'id'>[] = []
      for (const at of [1_000, 2_000, 2_000, 3_000]) {
        stored.unshift(await storeFormer({ workspace: 'ws_1', at, actor: 'usr_1' }))
        await audit.record(anEntry({ at }))
      }
      const read: AuditEntry[] = []
      for (;;) {
        const page = await audit.list({ ...everything, before: read.at(-1) ?? null, limit: 1 })
        if (page.length === 0) break
        read.push(...page)
      }
      assert.deepEqual(
        read.map(({ at }) => at),
        [3_000, 3_000, 2_000, 2_000, 2_000, 2_000, 1_000, 1_000],
      )
      assert.equal(new Set(read.map(({ id }) => id)).size, read.length)
      const former = read.filter(({ action }) => action === 'former.act').map(({ id: _, ...entry }) => entry)
      assert.deepEqual(former, stored)
      assert.ok(read.every(({ id }) => /^aud_[0-9a-hjkmnp-tv-z]{26}$/.test(id)))
    })
  })
