import type { Collection, Document, Filter } from 'mongodb'

/** A secret in a document. Null: it was removed. */
type Sealed = { sealed: { secretId: string } | null }

export type SecretIdsOptions<Doc> = {
  /** The path of the array that has the secrets. */
  field: string
  secretsOf(doc: Doc): readonly Sealed[]
}

/**
 * Returns the ids of the master keys that secrets need: finds one document after another with an id that is not known
 * yet.
 */
export const secretIdsIn = async <Doc extends Document>(
  collection: Collection<Doc>,
  { field, secretsOf }: SecretIdsOptions<Doc>,
): Promise<string[]> => {
  const ids = new Set<string>()
  for (;;) {
    const other = { $elemMatch: { 'sealed.secretId': { $exists: true, $nin: [...ids] } } }
    const found = await collection.findOne<Doc>({ [field]: other } as Filter<Doc>, { projection: { [field]: 1 } })
    if (!found) return [...ids]
    for (const { sealed } of secretsOf(found)) if (sealed) ids.add(sealed.secretId)
  }
}
