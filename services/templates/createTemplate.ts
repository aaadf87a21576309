import type { Templates } from '@postrider/contracts/services.ts'
import { invalid, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredTemplate } from '@postrider/ports/templates.ts'
import { createEntry } from './auditEntries.ts'
import { checkNamedParts } from './checkTemplateParts.ts'
import { type Deps, refuseTaken } from './deps.ts'

/**
 * Stores a template as its version 1.
 * @throws Fault `validation_failed`: all problems of all parts, or the workspace has `maxTemplates` already;
 * `conflict`: the workspace has a template of this name or alias
 */
export const createTemplate = async (
  { templates, now, slices, maxTemplates }: Deps,
  request: Parameters<Templates['Create']>[0],
): Promise<StoredTemplate> => {
  const { workspace, actor, clientAddress } = request
  const parts = {
    name: request.name,
    ...(request.alias && { alias: request.alias }),
    subject: request.subject,
    // Treat an empty part as absent.
    htmlBody: request.htmlBody || null,
    textBody: request.textBody || null,
  }
  const { variables, notices, problems } = await slices.of(workspace).begin(checkNamedParts(parts))
  refuseAny(problems)
  const at = now()
  const template: StoredTemplate = {
    id: newId('tpl'),
    workspace,
    ...parts,
    variables,
    notices,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  const entry = createEntry(template, { actor, clientAddress, at })
  const result = refuseTaken(await templates.insert(template, maxTemplates, entry))
  if (result === 'full') throw tooMany(maxTemplates)
  return template
}

const tooMany = (max: number) =>
  invalid({
    path: '',
    code: 'too_many_templates',
    message: `A workspace may have at most ${max} templates; use an existing one, delete one, or ask the operator for a higher limit.`,
  })
