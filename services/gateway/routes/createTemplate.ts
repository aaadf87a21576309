import { CreateTemplate, TemplateRecord, templateRules } from '@postrider/contracts/http/template.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import { route } from '../route.ts'
import { templateRecord } from '../templateRecord.ts'

const path = '/api/v1/templates'

export const createTemplate = route({
  name: 'createTemplate',
  method: 'POST',
  path,
  scope: 'templates:write',
  tag: 'Templates',
  summary: 'Create a template',
  description:
    '`{{name}}` is filled from `template_vars`, HTML-escaped in `html_body`; `{{{name}}}` isn’t escaped. `{{#if}}`, `{{#unless}}`, `{{#each}}`, `{{else}}` and `{{this}}` work as in Handlebars. Anything else is refused, with line and column.',
  limit: 'write',
  body: CreateTemplate,
  rules: templateRules,
  reply: { status: 201, body: TemplateRecord, description: 'The template; its `id` is what a send names.' },
  replyHeaders: { Location: 'Path of the template’s record.' },
  errors: ['conflict'],
  handle: async ({ body, caller }, { templates }: { templates: Pick<Templates, 'Create'> }) => {
    const { html_body, text_body, ...named } = body
    const template = await templates.Create({
      ...named,
      ...(html_body !== undefined && { html_body }),
      ...(text_body !== undefined && { text_body }),
      workspace: caller.workspace,
      actor: caller.key_id || caller.user_id,
    })
    return { json: templateRecord(template), headers: { Location: `${path}/${template.id}` } }
  },
})
