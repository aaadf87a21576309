import { keyModes } from '@postrider/domain/accounts/apiKey.ts'
import { type Email, lanes } from '@postrider/domain/email/email.ts'
import { type EmailQuery, hasOtherFilters, prefilterTerms } from '@postrider/domain/email/filter.ts'
import { termsOfQuery } from '@postrider/domain/email/terms.ts'
import type { Collection, Filter } from 'mongodb'
import { writeAll } from '../client/bulkWrite.ts'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, termsField } from './document.ts'

export type Conditions = Filter<EmailDoc>[]

/**
 * Documents that an index returns in the order of lists, after `chunks` chunks of it were read. Together the sources of
 * a query have every matching email. `inDocument` conditions may match too much: `matches` decides. The first condition
 * of `inIndex` selects the index.
 */
export type Source = (chunks: number) => { inIndex: Conditions; inDocument: Conditions }

/** The order of lists. */
export const newestFirst = { createdAt: -1, _id: -1 } as const

/** Number of the newest emails of a term or status that are counted to find the rarest one. */
const sampled = 100

/**
 * Number of chunks after which a short part of a subject is looked up in the index, where a frequent one would be
 * expensive.
 */
const shortPartChunks = 2

/** Documents without the field; the index has null for them. */
const withoutTerms: Filter<EmailDoc> = { terms: null as unknown as string[] }

/** Returns the sources that have the fewest emails to examine. */
export const sourcesOf = async (emails: Collection<EmailDoc>, query: EmailQuery): Promise<Source[]> => {
  const { all, start } = termsOfQuery(query)
  if (query.status !== null && !hasOtherFilters(query)) return statusSources(query)
  const isOnlyChoice = all.length + Number(query.status !== null) < 2
  const rarityOf = async (choices: Filter<EmailDoc>[]): Promise<Rarity> =>
    isOnlyChoice ? { count: 0, oldest: 0 } : rarity(emails, choices)
  const terms = await Promise.all(all.map(async (term) => ({ term, ...(await rarityOf([{ terms: term }])) })))
  const [rarest] = terms.toSorted(byRarity)
  if (query.status !== null) {
    const ofStatus = await rarityOf(conditionsOfStatus(query))
    if (rarest === undefined || byRarity(ofStatus, rarest) < 0) return statusSources(query)
  }
  return rarest === undefined && start === null
    ? [ofWorkspace(query)]
    : termsSources(query, { all, start, rarest: rarest?.term })
}

/** How many emails have something, at most `sampled`, and when the oldest of these newest ones was accepted. */
type Rarity = { count: number; oldest: number }

/** Sorts the rarest first. If two terms are frequent, the term whose newest emails reach further back is rarer. */
const byRarity = (one: Rarity, other: Rarity): number => one.count - other.count || one.oldest - other.oldest

/** @param choices each of them the beginning of an index that continues in the order of lists */
const rarity = async (emails: Collection<EmailDoc>, choices: Filter<EmailDoc>[]): Promise<Rarity> => {
  const found = await Promise.all(
    choices.map((choice) =>
      emails
        .find(choice, { projection: { _id: 0, createdAt: 1 } })
        .sort(newestFirst)
        .limit(sampled)
        .toArray(),
    ),
  )
  const times = found.flat().map(({ createdAt }) => createdAt)
  const newest = times.toSorted((one, other) => other - one).slice(0, sampled)
  return { count: newest.length, oldest: newest.at(-1) ?? 0 }
}

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
 * Mail whose field has the status, and leased mail: while the lease is live that has the status `sending`.
 * Each mode and category separately, because the index has the order of lists only within them: otherwise the server
 * would sort all mail of the status.
 */
const statusSources = (query: EmailQuery): Source[] => {
  const inDocument = textConditions(query)
  const withLiveLease = { leaseUntil: { $gt: query.now }, ...inWorkspace(query) }
  return [...conditionsOfStatus(query), withLiveLease].map((conditions) => () => ({
    inIndex: [conditions],
    inDocument,
  }))
}

const conditionsOfStatus = (query: EmailQuery): Filter<EmailDoc>[] => {
  const { status, mode, category } = query
  return (mode === null ? keyModes : [mode]).flatMap((ofMode) =>
    (category === null ? lanes : [category]).map((lane) => ({
      ...{ status: scalar(status ?? ''), ...inWorkspace(query) },
      ...{ mode: scalar(ofMode), lane: scalar(lane) },
    })),
  )
}

const columnConditions = (query: EmailQuery): Conditions => [
  ...(query.mode === null ? [] : [{ mode: scalar(query.mode) }]),
  ...(query.category === null ? [] : [{ lane: scalar(query.category) }]),
  ...statusConditions(query),
]

const statusConditions = ({ status, now }: EmailQuery): Conditions => [
  // A leased email may have another status than the field: `sending`.
  ...(status === null ? [] : [{ $or: [{ status: scalar(status) }, { leaseUntil: { $gt: now } }] }]),
]

const textConditions = (query: EmailQuery): Conditions =>
  prefilterTerms(query).map((term) => ({ doc: { $regex: escapeRegex(term), $options: 'i' } }))

const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * Gives mail that version 0.1 stored its terms, and void ids none.
 * @returns how many; fewer than `limit`: all have them
 */
export const fillListIndex = async (emails: Collection<EmailDoc>, limit: number): Promise<number> => {
  const projection = { doc: 1, workspace: 1 } as const
  const found = await emails.find(withoutTerms, { projection }).limit(limit).toArray()
  if (found.length === 0) return 0
  const updates = found.map(({ _id, workspace, doc }) => {
    const terms = workspace === '' ? [] : termsField(JSON.parse(doc) as Email)
    // The document as it was read: a write in between may have removed its content.
    return { updateOne: { filter: { _id, doc, ...withoutTerms }, update: { $set: { terms } } } }
  })
  await writeAll(emails, updates)
  return found.length
}
