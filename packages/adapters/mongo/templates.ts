import { Fault } from '@postrider/kit/fault.ts'
import type { StoredTemplate, TemplateStore } from '@postrider/ports/templates.ts'
import type { Db } from 'mongodb'
import type { Indexes } from './client/connect.ts'
import { isDuplicateKey, withMappedErrors } from './client/errors.ts'
import { scalar } from './client/scalar.ts'

/** A template with its newest version, so that rendering and lists cost one read. */
type TemplateDoc = Omit<StoredTemplate, 'id'> & { _id: string }

export const templateIndexes: Indexes = {
  templates: [{ key: { workspace: 1, name: 1 }, unique: true }, { key: { workspace: 1, _id: -1 } }],
}

const templateOf = ({ _id, ...rest }: TemplateDoc): StoredTemplate => ({ id: _id, ...rest })

/** Creates the template store on MongoDB. */
export const mongoTemplates = (db: Db): TemplateStore => {
  const templates = db.collection<TemplateDoc>('templates')
  const store: TemplateStore = {
    insert: async ({ id, ...rest }) => {
      try {
        await templates.insertOne({ _id: id, ...rest })
      } catch (thrown) {
        if (isDuplicateKey(thrown)) throw new Fault('conflict', 'A template with this name exists.')
        throw thrown
      }
    },
    get: async (workspace, id, version) => {
      const one = { _id: scalar(id), workspace: scalar(workspace) }
      const found = await templates.findOne(version === 0 ? one : { ...one, version: scalar(version) })
      return found && templateOf(found)
    },
    list: async (workspace, before, limit) => {
      const all = { workspace: scalar(workspace) }
      const filter = before === null ? all : { ...all, _id: { $lt: scalar(before) } }
      const found = await templates
        .find(filter)
        .sort({ _id: -1 })
        .limit(limit + 1)
        .toArray()
      return { templates: found.slice(0, limit).map(templateOf), hasMore: found.length > limit }
    },
  }
  return withMappedErrors(store)
}
