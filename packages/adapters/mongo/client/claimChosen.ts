import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import { type Collection, type Filter, ObjectId, type WithId } from 'mongodb'

/** `which` are the chosen documents, `claim` is the id to store in those that are still due. */
type Claim = { which: { $in: string[] }; claim: ObjectId }

/** Fields of a document that is not leased: a write with them ends its lease. */
export const noLease = { leaseUntil: 0, claim: null } as const

/**
 * Leases the chosen documents that are still due, and reads them by the claim's own id: of two claims only one finds a
 * document due. A process that stops between the two leaves leases that end.
 * @param lease writes the leases, and returns how many documents it changed
 */
export const claimChosen = async <Doc extends { _id: string }>(
  documents: Collection<Doc>,
  chosen: readonly string[],
  { fields, lease }: { fields: object; lease(claim: Claim): Promise<number> },
): Promise<WithId<Doc>[]> => {
  if (chosen.length === 0) return []
  const [which, claim] = [{ $in: [...chosen] }, new ObjectId()]
  if ((await lease({ which, claim })) === 0) return []
  return documents.find({ _id: which, claim } as object as Filter<Doc>, { projection: fields }).toArray()
}

/** Chooses documents and claims them, until some are claimed or none is due. */
export const chooseAndClaim = async <Claimed>(
  choose: () => Promise<readonly string[]>,
  claim: (chosen: readonly string[]) => Promise<Claimed[]>,
): Promise<Claimed[]> => {
  const attempt = async (): Promise<Claimed[] | undefined> => {
    const chosen = await choose()
    if (chosen.length === 0) return []
    const claimed = await claim(chosen)
    return claimed.length > 0 ? claimed : undefined
  }
  return retryOnConflict(attempt, { rounds: 'claim', onBusy: () => [] })
}
