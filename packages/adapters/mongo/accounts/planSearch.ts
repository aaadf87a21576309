import { type Allowance, allowanceAt, newAllowance, storedPlanOf } from '@postrider/domain/quota/plans.ts'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'
import type { WorkspaceQuery } from '@postrider/ports/accountsOperator.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { type AllowanceDoc, allowanceOf, withoutBilling } from '../ledger/docs.ts'
import { type BareWorkspaceDoc, type WorkspaceDoc, withoutLists } from './documents.ts'

/**
 * Number of documents that one read of a search returns. The driver passes them on in one event loop iteration: 500
 * users take about 0.5 ms.
 */
export const chunk = 500

/** A workspace with its members, whom a search compares. */
export type SearchedDoc = BareWorkspaceDoc & Pick<WorkspaceDoc, 'members'>

const { members: _, ...withMembers } = withoutLists
export const searched = withMembers

type Search = {
  filter: Filter<WorkspaceDoc>
  before: string | null
  limit: number
  decided(doc: SearchedDoc): StoredWorkspace[]
}
type Found = { ids: string[]; last: string | undefined; docs: SearchedDoc[] }
type Read = (before: string | null) => Promise<Found>

/**
 * Finds the workspaces of a plan. The ledger owns the plan, so its documents decide: an index finds those with a stored
 * plan other than Free; for Free, workspaces are read in chunks with their allowances until the page is full.
 */
export const findByPlan = async (
  { db, workspaces }: { db: Db; workspaces: Collection<WorkspaceDoc> },
  { name, at }: NonNullable<WorkspaceQuery['plan']>,
  { filter, before, limit, decided }: Search,
): Promise<StoredWorkspace[]> => {
  const allowances = db.collection<AllowanceDoc>('allowances')
  const fits = (allowance: Allowance): boolean => allowanceAt(allowance, at).plan === name
  const stored = storedPlanOf(name)
  const list = (given: Filter<WorkspaceDoc>) =>
    workspaces.find<SearchedDoc>(given, { projection: searched }).sort({ _id: -1 }).limit(chunk).toArray()

  const byIndex: Read = async (after) => {
    const older = after === null ? {} : { _id: { $lt: after } }
    const found = await allowances
      .find({ plan: stored, ...older } as Filter<AllowanceDoc>, { projection: withoutBilling })
      .sort({ _id: -1 })
      .limit(chunk)
      .toArray()
    const ids = found.filter((one) => fits(allowanceOf(one))).map(({ _id }) => _id)
    const docs = ids.length === 0 ? [] : await list({ $and: [filter, { _id: { $in: ids } }] })
    return { ids: found.map(({ _id }) => _id), last: found.at(-1)?._id, docs }
  }

  const byWorkspace: Read = async (after) => {
    const found = await list(after === null ? filter : { $and: [filter, { _id: { $lt: after } }] })
    const ids = found.map(({ _id }) => _id)
    const known = await allowances.find({ _id: { $in: ids } }, { projection: withoutBilling }).toArray()
    const byId = new Map(known.map((one) => [one._id, allowanceOf(one)]))
    return { ids, last: ids.at(-1), docs: found.filter(({ _id }) => fits(byId.get(_id) ?? newAllowance)) }
  }

  const read = stored === null ? byWorkspace : byIndex
  const page: StoredWorkspace[] = []
  for (let after = before; ; ) {
    const { ids, last, docs } = await read(after)
    page.push(...docs.flatMap(decided))
    if (page.length >= limit || last === undefined || ids.length < chunk) return page.slice(0, limit)
    after = last
  }
}
