import type { Suspensions } from '@postrider/ports/suspensions.ts'
import type { Db } from 'mongodb'
import { withMappedErrors } from '../client/errors.ts'
import { accountCollections } from './documents.ts'

/** Reads the suspended workspaces, by an index that the accounts service creates. */
export const mongoSuspensions = (db: Db): Suspensions => {
  const { workspaces } = accountCollections(db)
  return withMappedErrors({
    suspended: async () => {
      const found = await workspaces.find({ suspended: true }, { projection: { _id: 1 } }).toArray()
      return new Set(found.map(({ _id }) => _id))
    },
  })
}
