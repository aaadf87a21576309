import { isAlias } from '@postrider/domain/templates/alias.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { StoredTemplate, TakenName, TemplateStore } from '@postrider/ports/templates.ts'

export type Deps = {
  templates: TemplateStore
  now: Clock
  slices: Slices
  /** Maximum number of templates of a workspace. */
  maxTemplates: number
  /** Maximum number of versions of a template. */
  maxVersions: number
}

/** Returns the result of a write that found no other template of this name or alias. @throws Fault `conflict` */
export const refuseTaken = <Result extends string>(result: Result | TakenName): Exclude<Result, TakenName> => {
  if (result === 'name_taken')
    throw new Fault('conflict', 'A template with this name already exists; choose another name.')
  if (result === 'alias_taken')
    throw new Fault('conflict', 'A template with this alias already exists; choose another alias.')
  return result as Exclude<Result, TakenName>
}

/** A version of a template: `id` may be an alias, version 0 is the newest. */
export type VersionKey = { workspace: string; id: string; version: number }

/** @throws Fault `not_found` */
export const readTemplate = async (
  { templates }: { templates: Pick<TemplateStore, 'get' | 'getByAlias'> },
  { workspace, id, version }: VersionKey,
): Promise<StoredTemplate> => {
  const read = async () => {
    if (isId('tpl', id)) return templates.get(workspace, id, version)
    return isAlias(id) ? templates.getByAlias(workspace, id, version) : null
  }
  const found = await read()
  if (!found)
    throw new Fault(
      'not_found',
      'The workspace has no template with this id or alias, or the template has no such version.',
    )
  return found
}
