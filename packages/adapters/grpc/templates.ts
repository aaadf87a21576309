import type { PreviewReply__Output as PreviewMessage } from '@postrider/contracts/gen/postrider/templates/v1/PreviewReply.ts'
import type { Template__Output as TemplateMessage } from '@postrider/contracts/gen/postrider/templates/v1/Template.ts'
import type {
  ListedTemplate,
  RenderedParts,
  Templates,
  TemplatesRpc,
  TemplateVars,
} from '@postrider/contracts/services.ts'
import type { Template } from '@postrider/domain/templates/template.ts'
import { readAddress, withAddress } from './requester.ts'
import { recordCodec } from './times.ts'

const templateTimes = recordCodec({ always: ['created_at', 'updated_at'] })

/** Returns templates for its callers, over a gRPC client. */
export const templatesClient = (rpc: TemplatesRpc): Templates => ({
  Create: async ({ subject, htmlBody, textBody, ...request }) =>
    readTemplate(await rpc.Create({ ...withAddress(request), ...partFields({ subject, htmlBody, textBody }) })),
  Get: async (key) => readTemplate(await rpc.Get(key)),
  List: async ({ workspace, limit, before, withBodies = false }) =>
    readPage(await rpc.List({ workspace, limit, before: before ?? '', without_bodies: !withBodies })),
  Update: async ({ workspace, id, name, subject, htmlBody, textBody, alias, ...requester }) =>
    readTemplate(
      await rpc.Update({
        workspace,
        id,
        ...requesterFields(requester),
        ...(name !== undefined && { name }),
        ...(subject !== undefined && { subject }),
        ...(htmlBody !== undefined && { html_body: htmlBody ?? '' }),
        ...(textBody !== undefined && { text_body: textBody ?? '' }),
        ...(alias !== undefined && { alias: alias ?? '' }),
      }),
    ),
  Delete: async ({ workspace, id, ...requester }) => {
    await rpc.Delete({ workspace, id, ...requesterFields(requester) })
  },
  ListVersions: async ({ workspace, id, limit, before }) =>
    readPage(await rpc.ListVersions({ workspace, id, limit, before: before ?? 0 })),
  Restore: async ({ workspace, id, version, ...requester }) =>
    readTemplate(await rpc.Restore({ workspace, id, version, ...requesterFields(requester) })),
  Preview: async ({ vars, ...key }) => readPreview(await rpc.Preview({ ...key, ...varsField(vars) })),
  PreviewDraft: async ({ workspace, vars, ...parts }) =>
    readPreview(await rpc.PreviewDraft({ workspace, ...partFields(parts), ...varsField(vars) })),
})

/** Returns the gRPC handlers of templates. */
export const templatesHandlers = (templates: Templates): TemplatesRpc => ({
  Create: async (request) => {
    const { html_body: _, text_body: __, ...others } = readAddress(request)
    return templateMessage(await templates.Create({ ...others, ...readParts(request) }))
  },
  Get: async (key) => templateMessage(await templates.Get(key)),
  List: async ({ workspace, limit, before, without_bodies }) =>
    pageMessage(
      await templates.List({
        workspace,
        limit,
        before: before === '' ? null : before,
        ...(!without_bodies && { withBodies: true }),
      }),
    ),
  Update: async (request) => {
    const { html_body, text_body, alias, ...others } = readAddress(request)
    return templateMessage(
      await templates.Update({
        ...others,
        ...(html_body !== undefined && { htmlBody: html_body || null }),
        ...(text_body !== undefined && { textBody: text_body || null }),
        ...(alias !== undefined && { alias: alias || null }),
      }),
    )
  },
  Delete: async (request) => {
    await templates.Delete(readAddress(request))
    return {}
  },
  ListVersions: async ({ before, ...request }) =>
    pageMessage(await templates.ListVersions({ ...request, before: before === 0 ? null : before })),
  Restore: async (request) => templateMessage(await templates.Restore(readAddress(request))),
  Preview: async ({ template_vars_json, ...key }) =>
    previewMessage(await templates.Preview({ ...key, vars: JSON.parse(template_vars_json) })),
  PreviewDraft: async ({ workspace, template_vars_json, ...parts }) =>
    previewMessage(
      await templates.PreviewDraft({ workspace, ...readParts(parts), vars: JSON.parse(template_vars_json) }),
    ),
})

const requesterFields = ({ actor, clientAddress = '' }: { actor: string; clientAddress?: string }) => ({
  actor,
  client_address: clientAddress,
})

const varsField = (vars: TemplateVars) => ({ template_vars_json: JSON.stringify(vars) })

type PartFields = { subject: string; html_body?: string; text_body?: string }

const bodyFields = ({ htmlBody, textBody }: Partial<Pick<Template, 'htmlBody' | 'textBody'>>) => ({
  ...(typeof htmlBody === 'string' && { html_body: htmlBody }),
  ...(typeof textBody === 'string' && { text_body: textBody }),
})

const partFields = ({ subject, ...bodies }: Pick<Template, 'subject' | 'htmlBody' | 'textBody'>): PartFields => ({
  subject,
  ...bodyFields(bodies),
})

const readParts = ({ subject, html_body, text_body }: PartFields) => ({
  subject,
  htmlBody: html_body ?? null,
  textBody: text_body ?? null,
})

const templateMessage = (template: ListedTemplate): TemplateMessage => ({
  id: template.id,
  name: template.name,
  ...(template.alias !== undefined && { alias: template.alias }),
  subject: template.subject,
  ...bodyFields(template),
  variables: template.variables,
  notices: template.notices ?? [],
  version: template.version,
  ...templateTimes.write(template),
})

const readTemplate = ({ alias, ...message }: TemplateMessage): Template => ({
  id: message.id,
  name: message.name,
  ...(alias !== undefined && { alias }),
  ...readParts(message),
  variables: message.variables,
  notices: message.notices,
  version: message.version,
  ...templateTimes.read(message),
})

type Page = { templates: ListedTemplate[]; hasMore: boolean }
type PageMessage = { templates: TemplateMessage[]; has_more: boolean }

const pageMessage = ({ templates, hasMore }: Page): PageMessage => ({
  templates: templates.map(templateMessage),
  has_more: hasMore,
})

const readPage = ({ templates, has_more }: PageMessage): Page => ({
  templates: templates.map(readTemplate),
  hasMore: has_more,
})

const previewMessage = ({ source, variables, notices, ...parts }: RenderedParts): PreviewMessage => ({
  ...partFields(parts),
  variables,
  notices,
  id: source?.id ?? '',
  version: source?.version ?? 0,
})

const readPreview = ({ id, version, variables, notices, ...parts }: PreviewMessage): RenderedParts => ({
  source: id === '' ? null : { id, version },
  ...readParts(parts),
  variables,
  notices,
})
