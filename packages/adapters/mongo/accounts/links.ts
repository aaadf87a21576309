import type { Link, LinkPurpose } from '@postrider/domain/accounts/links.ts'
import type { LinkStore } from '@postrider/ports/links.ts'
import type { Binary, Db } from 'mongodb'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { bytesOf } from './documents.ts'

/** The hash is written as bytes and read as `Binary`. */
type LinkDoc = Omit<Link, 'hash'> & { _id: Binary | Uint8Array }

export const linkIndexes: Indexes = { links: [{ key: { purpose: 1, subject: 1 } }, { key: { expiresAt: 1 } }] }

const linkOf = ({ _id, ...rest }: LinkDoc): Link => ({ hash: bytesOf(_id), ...rest })

/** One-time links on MongoDB. */
export const mongoLinks = (db: Db): LinkStore => {
  const links = db.collection<LinkDoc>('links')
  const usable = (hash: Uint8Array, purpose: LinkPurpose, now: number) => ({
    _id: scalar(hash),
    purpose: scalar(purpose),
    expiresAt: { $gt: now },
  })
  return withMappedErrors<LinkStore>({
    insertLink: async ({ hash, ...rest }) => {
      await links.insertOne({ _id: hash, ...rest })
    },
    link: async (hash, purpose, now) => {
      const found = await links.findOne(usable(hash, purpose, now))
      return found && linkOf(found)
    },
    takeLink: async (hash, purpose, now) => {
      const taken = await links.findOneAndDelete(usable(hash, purpose, now))
      return taken && linkOf(taken)
    },
    deleteLinks: async (purpose, subject) => {
      await links.deleteMany({ purpose: scalar(purpose), subject: scalar(subject) })
    },
    deleteExpiredLinks: async (now) => (await links.deleteMany({ expiresAt: { $lte: now } })).deletedCount,
  })
}
