import { keyModes } from '@postrider/domain/accounts/apiKey.ts'
import { type Email, lanes } from '@postrider/domain/email/email.ts'
import { type EmailQuery, prefilterTerms } from '@postrider/domain/email/filter.ts'
import { termsOfQuery } from '@postrider/domain/email/terms.ts'
import type { Collection, Filter } from 'mongodb'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, termsField } from './document.ts'

export type Conditions = Filter<EmailDoc>[]

/**
 * Documents that an index returns in the order of lists, after so many chunks of it were read. Together the sources of a query
 * have every matching email. `inDocument` conditions may match too much: `matches` decides. The first condition of
 * `inIndex` selects the index.
 */
export type Source = (chunks: number) => { inIndex: Conditions; inDocument: Conditions }

/** Most emails that are counted to find the term, or the status, that the fewest emails have. */
const mostCounted = 100

/** After so many chunks a short part of a subject is looked up in the index, where a frequent one would be expensive. */
const shortPartChunks = 2

/** Documents without the field; the index has null for them. */
const withoutTerms: Filter<EmailDoc> = { terms: null as unknown as string[] }

/** Returns the sources that have the fewest emails to examine. */
export const sourcesOf = async (emails: Collection<EmailDoc>, query: EmailQuery): Promise<Source[]> => {
  const { all, start } = termsOfQuery(query)
  if (query.status !== null && !hasTerms(query)) return statusSources(query)
  const isOnlyChoice = all.length + Number(query.status !== null) < 2
  const countOf = async (choice: Filter<EmailDoc>): Promise<number> => (isOnlyChoice ? 0 : countUpTo(emails, choice))
  const counts = await Promise.all(all.map((term) => countOf({ terms: term })))
  const fewest = Math.min(...counts)
  const rarest = all[counts.indexOf(fewest)]
  const byStatus = { status: scalar(query.status ?? ''), ...inWorkspace(query) }
  if (query.status !== null && (await countOf(byStatus)) < fewest) return statusSources(query)
  return rarest === undefined && start === null ? [ofWorkspace(query)] : termsSources(query, { all, start, rarest })
}

/** Finds ids, because not every server counts by an index. */
const countUpTo = async (emails: Collection<EmailDoc>, choice: Filter<EmailDoc>): Promise<number> =>
  (
    await emails
      .find(choice, { projection: { _id: 1 } })
      .limit(mostCounted)
      .toArray()
  ).length

/** Whether a query has a filter besides those that the index by status answers too. */
const hasTerms = ({ keyId, to, from, subject, templateId, tag }: EmailQuery): boolean =>
  [keyId, to, from, subject, templateId, tag].some((filter) => filter !== null)

const inWorkspace = ({ workspace }: EmailQuery): Filter<EmailDoc> => ({ workspace: scalar(workspace) })

const ofWorkspace =
  (query: EmailQuery): Source =>
  () => ({ inIndex: [inWorkspace(query)], inDocument: [] })

type Terms = ReturnType<typeof termsOfQuery> & { rarest: string | undefined }

const termsSources = (query: EmailQuery, { all, start, rarest }: Terms): Source[] => {
  const others = all.filter((term) => term !== rarest)
  // Terms contain the workspace, the mode and the category.
  const checks = [...(others.length === 0 ? [] : [{ terms: { $all: others } }]), ...statusConditions(query)]
  const inRarest = rarest === undefined ? [inWorkspace(query)] : [{ terms: rarest }, inWorkspace(query)]
  // Its terms are those between the two; one element of the array must be.
  const short = start === null ? [] : [{ terms: { $elemMatch: { $gte: start, $lt: `${start}{` } } }]
  const indexed: Source = (chunks) =>
    chunks >= shortPartChunks && short.length > 0
      ? { inIndex: short, inDocument: [...inRarest, ...checks] }
      : { inIndex: inRarest, inDocument: [...checks, ...short] }
  const unindexed: Source = () => ({
    inIndex: [withoutTerms],
    inDocument: [inWorkspace(query), ...columnConditions(query), ...textConditions(query)],
  })
  return [indexed, unindexed]
}

/**
 * Mail whose field has the status, and mail that a worker holds: while the lease is live that has the status `sending`. Each
 * mode and category by itself, because the index has the order of lists only within them: otherwise the server would
 * sort all mail of the status.
 */
const statusSources = (query: EmailQuery): Source[] => {
  const { status, mode, category, now } = query
  const inDocument = textConditions(query)
  const ofStatus = (mode === null ? keyModes : [mode]).flatMap((ofMode) =>
    (category === null ? lanes : [category]).map((lane) => ({
      ...{ status: scalar(status ?? ''), ...inWorkspace(query) },
      ...{ mode: scalar(ofMode), lane: scalar(lane) },
    })),
  )
  const held = { leaseUntil: { $gt: now }, ...inWorkspace(query) }
  return [...ofStatus, held].map((conditions) => () => ({ inIndex: [conditions], inDocument }))
}

const columnConditions = (query: EmailQuery): Conditions => [
  ...(query.mode === null ? [] : [{ mode: scalar(query.mode) }]),
  ...(query.category === null ? [] : [{ lane: scalar(query.category) }]),
  ...statusConditions(query),
]

const statusConditions = ({ status, now }: EmailQuery): Conditions => [
  // A held email may have another status than the field: `sending`.
  ...(status === null ? [] : [{ $or: [{ status: scalar(status) }, { leaseUntil: { $gt: now } }] }]),
]

const textConditions = (query: EmailQuery): Conditions =>
  prefilterTerms(query).map((term) => ({ doc: { $regex: escapeRegex(term), $options: 'i' } }))

const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Gives mail that version 0.1 stored its terms, and void ids none. @returns how many; fewer than `limit`: all have them */
export const fillListIndex = async (emails: Collection<EmailDoc>, limit: number): Promise<number> => {
  const projection = { doc: 1, workspace: 1 } as const
  const found = await emails.find(withoutTerms, { projection }).limit(limit).toArray()
  if (found.length === 0) return 0
  const updates = found.map(({ _id, workspace, doc }) => {
    const terms = workspace === '' ? [] : termsField(JSON.parse(doc) as Email)
    // The document as it was read: a write in between may have removed its content.
    return { updateOne: { filter: { _id, doc, ...withoutTerms }, update: { $set: { terms } } } }
  })
  await emails.bulkWrite(updates, { ordered: false })
  return found.length
}
