import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoTemplates } from '@postrider/adapters/mongo/templates.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { StoredTemplate, TemplateStore } from '@postrider/ports/templates.ts'
import fc from 'fast-check'
import { type Comparison, type Moment, newIdOf, operationsOn, rarely, timeOf } from './compare.ts'

type Stores = {
  templates: TemplateStore
  audit: Audit
  /** What was inserted, whether the store accepted it or not. */
  inserted: { workspace: string; id: string }[]
}

const operation = operationsOn<Stores>()

const pick = fc.nat({ max: 4 })
const workspace = fc.constantFrom('ws_1', 'ws_2')
const name = fc.constantFrom('Welcome', 'welcome', 'Grüße')
const alias = fc.constantFrom(null, null, 'hello', 'bye')
const version = fc.nat({ max: 3 })
const limit = fc.constantFrom(1, 2, 9)

const none = { workspace: 'ws_1', id: 'tpl_none' }
const chosen = ({ inserted }: Stores, index: number) => inserted[index % inserted.length] ?? none
const entryOf = (moment: Moment, of: string) =>
  anEntry({ id: newIdOf('aud', moment), workspace: of, at: timeOf(moment) })

type Text = { name: string; alias: string | null; hasText: boolean }
const text = { name, alias, hasText: fc.boolean() }

const withText = (given: Text, moment: Moment) => ({
  name: given.name,
  subject: `Hello ${moment.step}`,
  htmlBody: '<p>{{name}}</p>',
  textBody: given.hasText ? '{{name}}' : null,
  variables: ['name'],
  updatedAt: timeOf(moment),
  ...(given.alias !== null && { alias: given.alias }),
})

const operations = {
  insert: operation(
    { workspace, ...text, max: fc.constantFrom(1, 2, 9) },
    ({ templates, inserted }, given, moment) => {
      const of = { id: newIdOf('tpl', moment), workspace: given.workspace }
      inserted.push(of)
      const one: StoredTemplate = { ...of, ...withText(given, moment), version: 1, createdAt: timeOf(moment) }
      return templates.insert(one, given.max, entryOf(moment, given.workspace))
    },
    5,
  ),
  update: operation(
    { of: pick, ...text, isStale: rarely },
    async (stores, given, moment) => {
      const { workspace: of, id } = chosen(stores, given.of)
      const stored = await stores.templates.get(of, id, 0)
      const { version: last = 0, createdAt = 0 } = stored ?? {}
      const next = { id, workspace: of, version: given.isStale ? last : last + 1, createdAt }
      // Version 1 is inserted, not updated.
      if (next.version < 2) return null
      return stores.templates.update({ ...next, ...withText(given, moment) }, entryOf(moment, of))
    },
    5,
  ),
  remove: operation(
    { of: pick, isStale: rarely },
    async (stores, given, moment) => {
      const { workspace: of, id } = chosen(stores, given.of)
      const { version: last = 1 } = (await stores.templates.get(of, id, 0)) ?? {}
      return stores.templates.remove(of, id, given.isStale ? last + 1 : last, entryOf(moment, of))
    },
    2,
  ),
  get: operation({ of: pick, version, isOther: rarely }, (stores, given) => {
    const { workspace: of, id } = chosen(stores, given.of)
    return stores.templates.get(given.isOther ? 'ws_9' : of, id, given.version)
  }),
  byAlias: operation({ workspace, alias: fc.constantFrom('hello', 'bye'), version }, ({ templates }, given) =>
    templates.getByAlias(given.workspace, given.alias, given.version),
  ),
  list: operation(
    { workspace, before: fc.option(pick, { nil: null }), limit },
    (stores, given) => {
      const before = given.before === null ? null : chosen(stores, given.before).id
      return stores.templates.list(given.workspace, before, given.limit)
    },
    2,
  ),
  versions: operation({ of: pick, before: fc.option(version, { nil: null }), limit }, (stores, given) => {
    const { workspace: of, id } = chosen(stores, given.of)
    return stores.templates.listVersions(of, id, given.before, given.limit)
  }),
}

const contents = async ({ templates, audit, inserted }: Stores): Promise<unknown> => {
  const of = async ({ workspace: owner, id }: { workspace: string; id: string }) => [
    await templates.get(owner, id, 0),
    await templates.listVersions(owner, id, null, 100),
  ]
  return {
    templates: await Promise.all(inserted.map(of)),
    lists: await Promise.all(['ws_1', 'ws_2'].map((owner) => templates.list(owner, null, 100))),
    audit: await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 }),
  }
}

export const templateDifferences: Comparison<Stores> = {
  name: 'templates and their versions',
  sqlite: (db) => ({ templates: sqliteTemplates(db), audit: sqliteAudit(db), inserted: [] }),
  mongo: (db) => ({ templates: mongoTemplates(db), audit: mongoAudit(db), inserted: [] }),
  operations,
  waits: [1_000, -1_000],
  contents,
  maxOperations: 40,
}
