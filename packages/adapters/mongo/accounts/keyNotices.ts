import { neverMs } from '@postrider/domain/time.ts'
import type { KeyClaim, KeyNoticeStore } from '@postrider/ports/keyNotices.ts'
import type { Db, Filter } from 'mongodb'
import { tableScan } from '../../tableScan.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { accountCollections, type KeyDoc } from './documents.ts'

/** Notices about unused keys on MongoDB. The time of use has no index, which each use of a key would have to write. */
export const mongoKeyNotices = (db: Db): KeyNoticeStore => {
  const { keys } = accountCollections(db)
  const claim = async ({ _id, workspace, noticeAt }: KeyDoc, until: number): Promise<KeyClaim[]> => {
    // Null matches an absent field.
    const asRead = { _id, noticeAt: noticeAt ?? null } as Filter<KeyDoc>
    const { modifiedCount } = await keys.updateOne(asRead, { $set: { noticeAt: until } })
    return modifiedCount === 1 ? [{ id: _id, workspace, until }] : []
  }
  const pass = tableScan(async (after, rows) => {
    const ids = keys.find({ _id: { $gt: scalar(after) } }, { projection: { _id: 1 } })
    const [end] = await ids
      .sort({ _id: 1 })
      .skip(rows - 1)
      .limit(1)
      .toArray()
    return end?._id ?? null
  })
  return withMappedErrors<KeyNoticeStore>({
    claimUnusedKeys: ({ now, unusedBefore, leaseMs, limit: max }) =>
      pass(max, async (after, upto, limit) => {
        const found = keys.find({
          _id: { $gt: scalar(after), ...(upto !== null && { $lte: scalar(upto) }) },
          revoked: false,
          createdAt: { $lte: unusedBefore },
          $and: [
            { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: unusedBefore } }] },
            { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
            { $or: [{ noticeAt: { $exists: false } }, { noticeAt: { $lte: now } }] },
          ],
        })
        const claims: KeyClaim[] = []
        for (const key of await found.sort({ _id: 1 }).limit(limit).toArray())
          claims.push(...(await claim(key, now + leaseMs)))
        return claims
      }),
    markReported: async ({ id, until }) =>
      (await keys.updateOne({ _id: scalar(id), noticeAt: until }, { $set: { noticeAt: neverMs } })).modifiedCount === 1,
  })
}
