import { templateLimits } from '@postrider/mail/template.ts'
import { z } from 'zod'
import { TemplateVars } from './content.ts'
import { block, listOf, strictObject, time } from './schema.ts'
import { Alias, aliasText, Name, nameText } from './templateName.ts'

const { partBytes } = templateLimits

const parts = {
  subject: block(partBytes, '512 KiB')
    .describe('Subject; `{{variable}}` placeholders are inserted without escaping.')
    .meta({ example: 'Welcome, {{name}}' }),
  html_body: block(partBytes, '512 KiB')
    .optional()
    .describe('HTML body; placeholders are HTML-escaped, except `{{{raw}}}` placeholders. Up to 512 KiB.')
    .meta({ example: '<p>Hello {{name}}</p>' }),
  text_body: block(partBytes, '512 KiB')
    .optional()
    .describe('Plain-text body. Up to 512 KiB. At least one of the two bodies is required.'),
}

/** Body of `POST /api/v1/templates`. */
export const CreateTemplate = strictObject({
  name: Name.describe(nameText).meta({ example: 'welcome' }),
  ...parts,
  alias: Alias.optional().describe(aliasText),
}).meta({ id: 'CreateTemplate', description: 'A message with `{{variable}}` placeholders, stored for later sends.' })

/** Body of `PATCH /api/v1/templates/{id}`. */
export const UpdateTemplate = strictObject({
  name: Name.optional().describe(nameText),
  subject: parts.subject.optional(),
  html_body: block(partBytes, '512 KiB')
    .nullish()
    .describe('HTML body; null removes it.')
    .meta({ example: '<p>Hello {{name}}</p>' }),
  text_body: block(partBytes, '512 KiB').nullish().describe('Plain-text body; null removes it.'),
  alias: Alias.nullish().describe(`${aliasText} Null removes it.`),
}).meta({
  id: 'UpdateTemplate',
  description: 'The fields to change; absent fields do not change. At least one of the two bodies must remain.',
})

const version = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

/** Body of `POST /api/v1/templates/{id}/restore`. */
export const RestoreTemplate = strictObject({
  version: version.describe('The version whose subject and bodies become the next version.').meta({ example: 1 }),
}).meta({ id: 'RestoreTemplate' })

const vars = TemplateVars.optional().describe(
  'Values for the placeholders, as in a send; default `{}`. Every placeholder needs a value; extra values are ignored.',
)

/** Body of `POST /api/v1/templates/{id}/preview`. */
export const PreviewTemplate = strictObject({
  template_vars: vars,
  version: version.optional().describe('Version to use; default: the newest one.').meta({ example: 1 }),
}).meta({ id: 'PreviewTemplate' })

/** Body of `POST /api/v1/templates/preview`. */
export const PreviewDraft = strictObject({ ...parts, template_vars: vars }).meta({
  id: 'PreviewDraft',
  description: 'The parts of a template that is not stored, with values.',
})

const notices = z
  .array(z.string())
  .describe(
    'Advice on the content: no text part, images without `alt`, `http://` URLs, HTML over 102 kB, variables of only one body.',
  )

/** Content of a send with these values. */
export const TemplatePreview = z
  .looseObject({
    object: z.literal('template_preview'),
    template_id: z.string().nullable().describe('Id of the template; null: the parts are not stored.'),
    template_version: z.int().nullable(),
    subject: z.string(),
    html_body: z.string().nullable(),
    text_body: z.string().nullable().describe('Text part; generated from `html_body` if the template has none.'),
    variables: z.array(z.string()).describe('The placeholders found.'),
    notices,
  })
  .meta({ id: 'TemplatePreview' })

/** Path parameters of an operation on one version. */
export const VersionParams = z.object({
  id: z.string().describe('The template’s id or alias.').meta({ minLength: 1 }),
  version: z
    .string()
    .describe('Number of the version.')
    .meta({ type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 }),
})

/** Path parameter of an operation on one template. */
export const TemplateId = z.object({ id: z.string().describe('The template’s id or alias.').meta({ minLength: 1 }) })

const summaryFields = {
  object: z.literal('template'),
  id: z
    .string()
    .describe('Id of the template; pass it as `template_id` when sending.')
    .meta({ example: 'tpl_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  name: z.string(),
  alias: z.string().nullable().describe('Alias, accepted wherever the id is; null: none.').meta({ example: 'welcome' }),
  subject: z.string(),
  variables: z.array(z.string()).describe('The placeholders found; a send needs a value for each.'),
  version: z.int().describe('Number of the newest version. It counts up from 1; every change creates a new version.'),
  notices,
  created_at: time(),
  updated_at: time(),
}

export const TemplateRecord = z
  .looseObject({ ...summaryFields, html_body: z.string().nullable(), text_body: z.string().nullable() })
  .meta({ id: 'Template' })

/** A template in a list: without its bodies. */
export const TemplateSummary = z
  .looseObject(summaryFields)
  .meta({ id: 'TemplateSummary', description: 'A template without `html_body` and `text_body`.' })

export const TemplateList = listOf(TemplateSummary, 'TemplateList')
