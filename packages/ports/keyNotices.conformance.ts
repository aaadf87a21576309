import assert from 'node:assert/strict'
import { newId } from '@postrider/kit/ids.ts'
import { aKey, withOwner } from './accounts.conformance.ts'
import type { AccountStore, StoredKey } from './accounts.ts'
import { anEntry, entryIfChanged } from './auditFixtures.conformance.ts'
import type { KeyNoticeStore } from './keyNotices.ts'

type Stores = { accounts: AccountStore; notices: KeyNoticeStore }
type Open = () => Stores | Promise<Stores>

const query = { now: 10_000, unusedBefore: 5_000, leaseMs: 100, limit: 10 }

const withKeys = async ({ accounts }: Stores, keys: readonly Partial<StoredKey>[]): Promise<StoredKey[]> => {
  const { workspace } = await withOwner(accounts, `${newId('usr')}@example.com`)
  const stored = keys.map((over) => ({ ...aKey(workspace.id, newId('key')), ...over }))
  for (const key of stored) assert.equal(await accounts.insertKey(key, 100, anEntry()), true)
  return stored
}

const idsOf = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id).toSorted()

/** Declares the tests that every store of notices about keys must pass. `open` returns empty stores. */
export const keyNoticesConformance = (name: string, open: Open) =>
  describe(`notices about unused keys in ${name}`, () => {
    it('are claimed for valid keys that are unused since a time', async () => {
      const stores = await open()
      const [never, before] = await withKeys(stores, [
        { createdAt: 5_000 },
        { createdAt: 1, lastUsedAt: 5_000, expiresAt: 10_001 },
        { createdAt: 5_001 },
        { createdAt: 1, lastUsedAt: 5_001 },
        { createdAt: 1, expiresAt: 10_000 },
      ])
      const [revoked] = await withKeys(stores, [{ createdAt: 1 }])
      await stores.accounts.changeKey(revoked?.workspace ?? '', revoked?.id ?? '', { revokedAt: 9 }, entryIfChanged)
      const claims = await stores.notices.claimUnusedKeys(query)
      assert.deepEqual(idsOf(claims), [never?.id, before?.id].toSorted())
      for (const { workspace, until } of claims) assert.deepEqual([workspace, until], [never?.workspace, 10_100])
    })

    it('are claimed by one of several callers, and again after the claim', async () => {
      const stores = await open()
      const keys = await withKeys(
        stores,
        Array.from({ length: 5 }, () => ({ createdAt: 1 })),
      )
      const claims = await Promise.all(Array.from({ length: 4 }, () => stores.notices.claimUnusedKeys(query)))
      assert.deepEqual(idsOf(claims.flat()), idsOf(keys))
      assert.deepEqual(await stores.notices.claimUnusedKeys({ ...query, now: 10_099 }), [])
      assert.equal((await stores.notices.claimUnusedKeys({ ...query, now: 10_100, limit: 3 })).length, 3)
    })

    it('are marked once, even if the key changes or is used later', async () => {
      const stores = await open()
      const [key] = await withKeys(stores, [{ createdAt: 1 }])
      const { id = '', workspace = '' } = key ?? {}
      const [old] = await stores.notices.claimUnusedKeys(query)
      const [claim] = await stores.notices.claimUnusedKeys({ ...query, now: 10_200 })
      assert.ok(old && claim)
      assert.equal(await stores.notices.markReported(old), false)
      assert.equal(await stores.notices.markReported(claim), true)
      assert.equal(await stores.notices.markReported(claim), false)
      await stores.accounts.changeKey(workspace, id, { name: 'Other' }, entryIfChanged)
      await stores.accounts.touchKey(id, 11_000, '')
      assert.deepEqual(await stores.notices.claimUnusedKeys({ ...query, now: 99_000, unusedBefore: 90_000 }), [])
      const { hash: _, ...shown } = (await stores.accounts.key(workspace, id)) ?? assert.fail()
      const { hash: __, ...expected } = { ...aKey(workspace, '', id), createdAt: 1, name: 'Other', lastUsedAt: 11_000 }
      assert.deepEqual(shown, expected)
    })
  })
