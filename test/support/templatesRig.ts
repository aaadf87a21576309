import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { StoredTemplate, TakenName, TemplateStore } from '@postrider/ports/templates.ts'
import { openTemplates } from '@postrider/templates/templates.ts'

/** Templates in memory; `entries` gets the audit entries. */
const memoryTemplates = (entries: AuditEntry[]): TemplateStore => {
  const kept: StoredTemplate[] = []
  const of = (workspace: string) => kept.filter((template) => template.workspace === workspace)
  const newestOf = (workspace: string) =>
    [...new Map(of(workspace).map((template) => [template.id, template])).values()].reverse()
  const takenName = ({ id, workspace, name, alias }: StoredTemplate): TakenName | null => {
    const others = newestOf(workspace).filter((other) => other.id !== id)
    if (others.some((other) => other.name === name)) return 'name_taken'
    return alias !== undefined && others.some((other) => other.alias === alias) ? 'alias_taken' : null
  }
  const pageOf = (found: readonly StoredTemplate[], limit: number) => ({
    templates: found.slice(0, limit).map(({ htmlBody: _, textBody: __, ...summary }) => summary),
    hasMore: found.length > limit,
  })
  const isWanted = (version: number) => (template: StoredTemplate) => version === 0 || template.version === version
  return {
    insert: async (template, max, audit) => {
      const taken = takenName(template)
      if (taken !== null) return taken
      if (newestOf(template.workspace).length >= max) return 'full'
      kept.push(template)
      entries.push(audit)
      return 'stored'
    },
    update: async (template, audit) => {
      if (kept.findLast(({ id }) => id === template.id)?.version !== template.version - 1) return 'changed'
      const taken = takenName(template)
      if (taken !== null) return taken
      kept.push(template)
      entries.push(audit)
      return 'stored'
    },
    remove: async (_workspace, id, version, audit) => {
      if (kept.findLast((template) => template.id === id)?.version !== version) return false
      kept.splice(0, kept.length, ...kept.filter((template) => template.id !== id))
      entries.push(audit)
      return true
    },
    get: async (workspace, id, version) =>
      of(workspace).findLast((template) => template.id === id && isWanted(version)(template)) ?? null,
    getByAlias: async (workspace, alias, version) => {
      const newest = newestOf(workspace).find((template) => template.alias === alias)
      return (
        of(workspace).findLast(({ id, ...rest }) => id === newest?.id && isWanted(version)({ id, ...rest })) ?? null
      )
    },
    list: async (workspace, before, limit) => {
      const found = newestOf(workspace)
      return pageOf(found.slice(found.findIndex(({ id }) => id === before) + 1), limit)
    },
    listVersions: async (workspace, id, before, limit) => {
      const below = before ?? Number.POSITIVE_INFINITY
      const found = of(workspace).filter((template) => template.id === id && template.version < below)
      return pageOf(found.reverse(), limit)
    },
  }
}

/** The time of the first change. */
export const at = Date.UTC(2026, 0, 2)

type RigOptions = {
  maxTemplates?: number
  maxVersions?: number
  slices?: Slices
  /** Returns the store that the service uses in place of the given one. */
  around?: (templates: TemplateStore) => TemplateStore
}

/** The templates service on a store in memory, with its audit entries. Its clock stands still until `passes`. */
export const rig = ({ around = (one) => one, ...options }: RigOptions = {}) => {
  const entries: AuditEntry[] = []
  let now = at
  const templates = around(memoryTemplates(entries))
  const service = openTemplates({ maxTemplates: 1_000, maxVersions: 1_000, ...options, templates, now: () => now })
  const passes = (ms: number): void => {
    now += ms
  }
  return { ...service, entries, passes }
}

export const by = { workspace: 'ws_1', actor: 'key_1', clientAddress: '192.0.2.1' }

export const welcome = {
  workspace: 'ws_1',
  actor: 'key_1',
  name: 'welcome',
  subject: 'Hi {{name}}',
  htmlBody: '<p>{{order.total}} {{name}}</p>',
  textBody: '{{code}}',
}

/** Returns path and code of each problem of a refusal. */
export const problemsOf = async (promise: Promise<unknown>): Promise<string[]> => {
  const fault = await promise.then(
    () => assert.fail('was accepted'),
    (thrown: unknown) => thrown,
  )
  assert.ok(fault instanceof Fault && fault.code === 'validation_failed', String(fault))
  return fault.problems.map(({ path, code }) => `${path} ${code}`)
}
