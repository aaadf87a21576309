import { jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { StoredTemplate, TemplateStore, TemplateSummary } from '@postrider/ports/templates.ts'
import type { Collection, Db } from 'mongodb'
import type { Indexes } from './client/connect.ts'
import { isDuplicateKey, withMappedErrors } from './client/errors.ts'
import { scalar } from './client/scalar.ts'

/** A template with its newest version, so that rendering and lists cost one read. */
type TemplateDoc = Omit<StoredTemplate, 'id'> & { _id: string }
type SummaryDoc = Omit<TemplateSummary, 'id'> & { _id: string }

/** The ids of a workspace's templates: its length decides whether one more fits. */
type TemplateListDoc = { _id: string; ids: string[] }

type Collections = { templates: Collection<TemplateDoc>; lists: Collection<TemplateListDoc> }

export const templateIndexes: Indexes = {
  templates: [{ key: { workspace: 1, name: 1 }, unique: true }, { key: { workspace: 1, _id: -1 } }],
}

const withoutBodies = { projection: { htmlBody: 0, textBody: 0 } } as const

/** Documents that a list reads at once: a page ends after 4 MiB, and one summary may have 0.5 MiB. */
const listBatch = 20

/** Creates the template store on MongoDB. */
export const mongoTemplates = (db: Db): TemplateStore => {
  const collections: Collections = { templates: db.collection('templates'), lists: db.collection('template_lists') }
  const { templates } = collections
  const store: TemplateStore = {
    insert: (template, most) => insertTemplate(collections, template, most),
    get: async (workspace, id, version) => {
      const one = { _id: scalar(id), workspace: scalar(workspace) }
      const found = await templates.findOne(version === 0 ? one : { ...one, version: scalar(version) })
      if (!found) return null
      const { _id, ...rest } = found
      return { id: _id, ...rest }
    },
    list: (workspace, before, limit) => listTemplates(collections, workspace, before, limit),
  }
  return withMappedErrors(store)
}

const listTemplates = async (
  { templates }: Collections,
  workspace: string,
  before: string | null,
  limit: number,
): ReturnType<TemplateStore['list']> => {
  const all = { workspace: scalar(workspace) }
  const filter = before === null ? all : { ...all, _id: { $lt: scalar(before) } }
  const found = templates
    .find<SummaryDoc>(filter, withoutBodies)
    .sort({ _id: -1 })
    .limit(limit + 1)
    .batchSize(listBatch)
  const listed: TemplateSummary[] = []
  const fits = pageRoom()
  // Leaving the loop closes the cursor.
  for await (const { _id, ...rest } of found) {
    const summary = { id: _id, ...rest }
    if (listed.length === limit || !fits(jsonBytes(summary))) return { templates: listed, hasMore: true }
    listed.push(summary)
  }
  return { templates: listed, hasMore: false }
}

/**
 * Makes the list of a workspace, if it has none, from the templates that the last release stored. It is made before the
 * template is written, so it contains no template that may still be refused.
 */
const makeList = async ({ templates, lists }: Collections, workspace: string): Promise<void> => {
  if (await lists.findOne({ _id: workspace }, { projection: { _id: 1 } })) return
  const found = await templates.find({ workspace }, { projection: { _id: 1 } }).toArray()
  try {
    await lists.insertOne({ _id: workspace, ids: found.map(({ _id }) => _id) })
  } catch (thrown) {
    if (!isDuplicateKey(thrown)) throw thrown
  }
}

/**
 * Writes the template, whose name is unique, then adds its id to the workspace's list, guarded by the list's length; that
 * update decides. A crash before it leaves a template that uses no place. Templates that a process of the last release
 * stores beside this one are not counted.
 */
const insertTemplate = async (collections: Collections, { id, ...rest }: StoredTemplate, most: number) => {
  const { templates, lists } = collections
  const { workspace } = rest
  await makeList(collections, workspace)
  try {
    await templates.insertOne({ _id: id, ...rest })
  } catch (thrown) {
    if (isDuplicateKey(thrown)) throw new Fault('conflict', 'A template with this name exists.')
    throw thrown
  }
  const hasRoom = { _id: workspace, [`ids.${most - 1}`]: { $exists: false } }
  const { matchedCount } = await lists.updateOne(hasRoom, { $addToSet: { ids: id } })
  if (matchedCount === 1) return true
  await templates.deleteOne({ _id: id })
  return false
}
