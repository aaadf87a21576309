import type { Templates } from '@postrider/contracts/services.ts'
import { newestVersion } from '@postrider/domain/templates/template.ts'
import { invalid, refuseAny } from '@postrider/kit/fault.ts'
import { busyFault, retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { StoredTemplate } from '@postrider/ports/templates.ts'
import { changeEntry, deleteEntry } from './auditEntries.ts'
import { checkNamedParts, type NamedParts } from './checkTemplateParts.ts'
import { type Deps, readTemplate, refuseTaken } from './deps.ts'

/**
 * Repeats a write that is guarded by the newest version, on the template as it then is.
 * @param write undefined: the template was changed since it was read
 */
const changeNewest = <Result>(
  deps: Deps,
  { workspace, id }: { workspace: string; id: string },
  write: (newest: StoredTemplate) => Promise<Result | undefined>,
): Promise<Result> =>
  retryOnConflict(async () => write(await readTemplate(deps, { workspace, id, version: newestVersion })), {
    rounds: 'sharedRecord',
    onBusy: () => busyFault('template'),
  })

const namedPartsOf = ({ name, alias, subject, htmlBody, textBody }: StoredTemplate): NamedParts => ({
  name,
  ...(alias !== undefined && { alias }),
  subject,
  htmlBody,
  textBody,
})

const isSame = (one: NamedParts, other: NamedParts): boolean =>
  one.name === other.name &&
  one.alias === other.alias &&
  one.subject === other.subject &&
  one.htmlBody === other.htmlBody &&
  one.textBody === other.textBody

type ChangeRequest = Parameters<Templates['Delete']>[0]

const storeNext = (
  deps: Deps,
  { workspace, id, actor, clientAddress }: ChangeRequest,
  action: 'update' | 'restore',
  change: (newest: StoredTemplate) => Promise<NamedParts>,
): Promise<StoredTemplate> =>
  changeNewest(deps, { workspace, id }, async (newest) => {
    const parts = await change(newest)
    if (isSame(parts, namedPartsOf(newest))) return newest
    const { variables, notices, problems } = await deps.slices.of(workspace).begin(checkNamedParts(parts))
    refuseAny(problems)
    if (newest.version >= deps.maxVersions) throw tooMany(deps.maxVersions)
    const at = deps.now()
    const { createdAt } = newest
    const version = newest.version + 1
    const next = { id: newest.id, workspace, ...parts, variables, notices, version, createdAt, updatedAt: at }
    const entry = changeEntry(newest, next, { actor, clientAddress, at }, action)
    return refuseTaken(await deps.templates.update(next, entry)) === 'stored' ? next : undefined
  })

const tooMany = (max: number) =>
  invalid({
    path: '',
    code: 'too_many_versions',
    message: `A template may have at most ${max} versions; create another template, or ask the operator for a higher limit.`,
  })

/**
 * Stores the changed parts as the next version. Parts that equal the newest version store nothing.
 * @throws Fault `not_found`; `validation_failed`; `conflict`: another template has this name or alias
 */
export const updateTemplate = (deps: Deps, request: Parameters<Templates['Update']>[0]): Promise<StoredTemplate> => {
  const { name, subject, htmlBody, textBody, alias } = request
  return storeNext(deps, request, 'update', async (newest) => {
    const wanted = alias === undefined ? newest.alias : alias
    return {
      name: name ?? newest.name,
      ...(wanted && { alias: wanted }),
      subject: subject ?? newest.subject,
      htmlBody: htmlBody === undefined ? newest.htmlBody : htmlBody || null,
      textBody: textBody === undefined ? newest.textBody : textBody || null,
    }
  })
}

/**
 * Stores subject and bodies of an earlier version as the next one. Name and alias stay: another template may have the
 * former ones by now.
 * @throws Fault `not_found`; `validation_failed`: the language no longer permits the version
 */
export const restoreVersion = (deps: Deps, request: Parameters<Templates['Restore']>[0]): Promise<StoredTemplate> =>
  storeNext(deps, request, 'restore', async (newest) => {
    const { workspace, version } = request
    const { subject, htmlBody, textBody } = await readTemplate(deps, { workspace, id: newest.id, version })
    return { ...namedPartsOf(newest), subject, htmlBody, textBody }
  })

/** Removes a template with its versions. Accepted mail has its own content. @throws Fault `not_found` */
export const deleteTemplate = async (deps: Deps, request: ChangeRequest): Promise<void> => {
  const { actor, clientAddress } = request
  await changeNewest(deps, request, async (newest) => {
    const { workspace, id, version } = newest
    const entry = deleteEntry(newest, { actor, clientAddress, at: deps.now() })
    return (await deps.templates.remove(workspace, id, version, entry)) ? true : undefined
  })
}
