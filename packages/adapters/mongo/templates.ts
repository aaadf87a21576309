import { jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import { newestVersion } from '@postrider/domain/templates/template.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { StoredTemplate, TakenName, TemplateStore, TemplateSummary } from '@postrider/ports/templates.ts'
import type { Collection, Db } from 'mongodb'
import { type Forget, mongoOutbox, type Outbox, outboxIndex, type WithOutbox } from './audit/outbox.ts'
import type { Indexes } from './client/connect.ts'
import { ignoreDuplicateKey, isDuplicateKey, withMappedErrors } from './client/errors.ts'
import { scalar } from './client/scalar.ts'

/**
 * A template with its newest version, so that rendering and lists cost one read. Earlier versions are in
 * `template_versions`. `aliasKey` is the workspace with the alias, for the unique index: templates without an alias do
 * not have it.
 */
type TemplateDoc = Omit<StoredTemplate, 'id'> & WithOutbox & { _id: string; aliasKey?: string }
type SummaryDoc = Omit<TemplateSummary, 'id'> & { _id: string }

/** An earlier version. `_id` contains the template and the version, so storing it again changes nothing. */
type VersionDoc = Omit<StoredTemplate, 'id'> & { _id: string; template: string }
type VersionSummaryDoc = Omit<TemplateSummary, 'id'> & { _id: string; template: string }

/** The ids of a workspace's templates: its length decides whether one more fits. */
type TemplateListDoc = { _id: string; ids: string[] }

type Collections = {
  templates: Collection<TemplateDoc>
  versions: Collection<VersionDoc>
  lists: Collection<TemplateListDoc>
}

export const templateIndexes: Indexes = {
  templates: [
    { key: { workspace: 1, name: 1 }, unique: true },
    { key: { workspace: 1, _id: -1 } },
    { key: { aliasKey: 1 }, unique: true, sparse: true },
    outboxIndex,
  ],
  template_versions: [{ key: { workspace: 1, template: 1, version: -1 } }],
}

const collectionsOf = (db: Db): Collections => ({
  templates: db.collection('templates'),
  versions: db.collection('template_versions'),
  lists: db.collection('template_lists'),
})

/** Deletes the versions and the slot of a removed template. */
const forgetOne =
  (db: Db): Forget =>
  async ({ _id, goneFrom }) => {
    if (goneFrom !== undefined) await forget(collectionsOf(db), goneFrom, [String(_id)])
  }

/** The collection with outboxes that the templates service sweeps. */
export const templateOutboxes = { indexed: ['templates'], forget: forgetOne } as const

const withoutOutbox = { outbox: 0, gone: 0, goneFrom: 0, aliasKey: 0 } as const
const withoutBodies = { projection: { htmlBody: 0, textBody: 0, ...withoutOutbox } } as const

/** Documents that a list reads in one batch: a page ends after 4 MiB, and one summary may have 0.5 MiB. */
const listBatch = 20

const aliasKeyOf = (workspace: string, alias: string): string => `${workspace}/${alias}`

const docOf = ({ id, ...rest }: StoredTemplate): TemplateDoc => ({
  _id: id,
  ...rest,
  ...(rest.alias !== undefined && { aliasKey: aliasKeyOf(rest.workspace, rest.alias) }),
})

const templateOf = ({ _id: id, ...rest }: Omit<TemplateDoc, keyof WithOutbox | 'aliasKey'>): StoredTemplate => ({
  id,
  ...rest,
})

const optionalFields = ['alias', 'aliasKey', 'notices'] as const

const versionId = (template: string, version: number): string => `${template}@${version}`

/** Creates the template store on MongoDB. */
export const mongoTemplates = (db: Db): TemplateStore => {
  const collections = collectionsOf(db)
  const outbox = mongoOutbox(db, forgetOne(db))
  const store: TemplateStore = {
    insert: (template, max, audit) => insertTemplate(collections, outbox, { template, max, audit }),
    update: (template, audit) => updateTemplate(collections, outbox, template, audit),
    remove: async (workspace, id, version, audit) => {
      const newest = { _id: scalar(id), workspace: scalar(workspace), version: scalar(version) }
      // Names are unique, so the remaining document gets its id as its name.
      const keptFields = { name: id, goneFrom: workspace }
      return (await outbox.remove(collections.templates, newest, audit, keptFields)) !== null
    },
    get: (workspace, id, version) => readVersion(collections, workspace, { _id: scalar(id) }, version),
    getByAlias: (workspace, alias, version) =>
      readVersion(collections, workspace, { aliasKey: aliasKeyOf(workspace, alias) }, version),
    list: (workspace, before, limit) => listTemplates(collections, workspace, before, limit),
    listVersions: (workspace, id, before, limit) => listVersions(collections, { workspace, id, before, limit }),
  }
  return withMappedErrors(store)
}

const readVersion = async (
  { templates, versions }: Collections,
  workspace: string,
  one: { _id: string } | { aliasKey: string },
  version: number,
): Promise<StoredTemplate | null> => {
  const newest = { ...one, workspace: scalar(workspace) }
  if (version === newestVersion) {
    const found = await templates.findOne(newest, { projection: withoutOutbox })
    return found && templateOf(found)
  }
  const current = await templates.findOne(newest, { projection: { version: 1 } })
  if (current === null) return null
  // A copy of the newest version may be left of a change that a crash ended, so the document itself is read first.
  const found = await templates.findOne({ _id: current._id, version: scalar(version) }, { projection: withoutOutbox })
  if (found) return templateOf(found)
  const earlier = await versions.findOne({ _id: versionId(current._id, version) })
  if (earlier === null) return null
  const { _id: _, template: id, ...rest } = earlier
  return { id, ...rest }
}

const listVersions = async (
  { templates, versions }: Collections,
  { workspace, id, before, limit }: { workspace: string; id: string; before: number | null; limit: number },
): ReturnType<TemplateStore['listVersions']> => {
  const newest = await templates.findOne({ _id: scalar(id), workspace: scalar(workspace) }, withoutBodies)
  if (newest === null) return { templates: [], hasMore: false }
  const room = pageRoom<TemplateSummary>(limit)
  const first = templateOf(newest)
  if (before === null || newest.version < before) room.add(first, jsonBytes(first))
  const below = Math.min(newest.version, before ?? newest.version)
  const found = versions
    .find<VersionSummaryDoc>(
      { workspace: scalar(workspace), template: scalar(id), version: { $lt: below } },
      { projection: { htmlBody: 0, textBody: 0 } },
    )
    .sort({ version: -1 })
    .limit(limit + 1)
    .batchSize(listBatch)
  // Leaving the loop closes the cursor.
  for await (const { _id: _, template, ...rest } of found) {
    const summary = { id: template, ...rest }
    if (!room.add(summary, jsonBytes(summary))) break
  }
  const { items, hasMore } = room.page()
  return { templates: items, hasMore }
}

/**
 * Copies the newest version to the earlier ones, then replaces it by one guarded write, which decides. Versions never
 * change, so a copy that a crash leaves is correct, and it is not read while the version is the newest.
 */
const updateTemplate = async (
  { templates, versions }: Collections,
  outbox: Outbox,
  next: StoredTemplate,
  audit: AuditEntry,
): ReturnType<TemplateStore['update']> => {
  const newest = { _id: scalar(next.id), workspace: scalar(next.workspace), version: next.version - 1 }
  const found = await templates.findOne(newest, { projection: withoutOutbox })
  if (found === null) return 'changed'
  const { _id: template, ...rest } = found
  await ignoreDuplicateKey(() => versions.insertOne({ ...rest, _id: versionId(template, rest.version), template }))
  const { _id: _, ...fields } = docOf(next)
  const removed = optionalFields.filter((name) => fields[name] === undefined)
  const update = {
    $set: fields,
    ...(removed.length > 0 && { $unset: Object.fromEntries(removed.map((name) => [name, ''])) }),
  }
  const changed = await unlessTaken(next, () =>
    outbox.update(templates, newest, update, [audit], { projection: { _id: 1 } }),
  )
  if (typeof changed === 'string') return changed
  if (changed !== null) return 'stored'
  // Its removal may have come between the copy and the write, and deletes only the copies that it finds.
  const isThere = await templates.findOne({ _id: newest._id, workspace: newest.workspace }, { projection: { _id: 1 } })
  if (isThere === null) await versions.deleteMany({ workspace: newest.workspace, template: newest._id })
  return 'changed'
}

/** @returns what a unique index refused, or the result of the write */
const unlessTaken = async <Result>(
  { alias }: StoredTemplate,
  write: () => Promise<Result>,
): Promise<Result | TakenName> => {
  try {
    return await write()
  } catch (thrown) {
    if (!isDuplicateKey(thrown)) throw thrown
    const isOfAlias = alias !== undefined && String((thrown as Error).message).includes('aliasKey')
    return isOfAlias ? 'alias_taken' : 'name_taken'
  }
}

/**
 * Removes what is left of removed templates. Slots are freed last: as long as a template has its slot, this can be
 * repeated.
 */
const forget = async (
  { versions, lists }: Collections,
  workspace: string,
  removed: readonly string[],
): Promise<void> => {
  await versions.deleteMany({ workspace: scalar(workspace), template: { $in: removed.map(scalar) } })
  await lists.updateOne({ _id: scalar(workspace) }, { $pull: { ids: { $in: [...removed] } } })
}

/** Removes what a crash left of removed templates. An id is only in the list after its template was stored. */
const forgetRemoved = async (collections: Collections, workspace: string): Promise<void> => {
  const list = await collections.lists.findOne({ _id: scalar(workspace) })
  const found = await collections.templates.find({ workspace: scalar(workspace) }, { projection: { _id: 1 } }).toArray()
  const there = new Set(found.map(({ _id }) => _id))
  const removed = (list?.ids ?? []).filter((id) => !there.has(id))
  if (removed.length > 0) await forget(collections, workspace, removed)
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
  const room = pageRoom<TemplateSummary>(limit)
  // Leaving the loop closes the cursor.
  for await (const { _id, ...rest } of found) {
    const summary = { id: _id, ...rest }
    if (!room.add(summary, jsonBytes(summary))) break
  }
  const { items, hasMore } = room.page()
  return { templates: items, hasMore }
}

/**
 * Makes the list of a workspace, if it has none, from the templates that the last release stored. It is made before the
 * template is written, so it contains no template that may still be refused.
 */
const makeList = async ({ templates, lists }: Collections, workspace: string): Promise<void> => {
  if (await lists.findOne({ _id: workspace }, { projection: { _id: 1 } })) return
  const found = await templates.find({ workspace }, { projection: { _id: 1 } }).toArray()
  await ignoreDuplicateKey(() => lists.insertOne({ _id: workspace, ids: found.map(({ _id }) => _id) }))
}

/**
 * Writes the template, whose name is unique, then adds its id to the workspace's list, guarded by the list's length;
 * that update decides. A crash before it leaves a template with its audit entry that uses no slot. Templates that a
 * process of the last release stores at the same time are not counted.
 */
const insertTemplate = async (
  collections: Collections,
  outbox: Outbox,
  { template, max, audit }: { template: StoredTemplate; max: number; audit: AuditEntry },
): ReturnType<TemplateStore['insert']> => {
  const { id, workspace } = template
  const { templates, lists } = collections
  await makeList(collections, workspace)
  const inserted = await unlessTaken(template, () => templates.insertOne(outbox.withEntry(docOf(template), audit)))
  if (typeof inserted === 'string') return inserted
  const withRoom = { _id: workspace, [`ids.${max - 1}`]: { $exists: false } }
  const addToList = async (): Promise<boolean> =>
    (await lists.updateOne(withRoom, { $addToSet: { ids: id } })).matchedCount === 1
  const isAdded = async (): Promise<boolean> => {
    if (await addToList()) return true
    await forgetRemoved(collections, workspace)
    return addToList()
  }
  if (await isAdded()) {
    await outbox.moveNow(templates, id, [audit])
    return 'stored'
  }
  // Its audit entry goes with it.
  await templates.deleteOne({ _id: id })
  return 'full'
}
