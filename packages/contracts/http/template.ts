import { z } from 'zod'
import { notSupportedYet } from './notSupported.ts'
import { block, line, listOf, strictObject, time } from './schema.ts'

const partBytes = 512 * 1_024

/** Body of `POST /api/v1/templates`. */
export const CreateTemplate = strictObject({
  name: line(200)
    .describe('Name for people, unique in the workspace, up to 200 characters.')
    .meta({ example: 'welcome' }),
  subject: block(partBytes, '512 KiB')
    .describe('Subject; `{{variable}}` placeholders are inserted without escaping.')
    .meta({ example: 'Welcome, {{name}}' }),
  html_body: block(partBytes, '512 KiB')
    .optional()
    .describe('HTML body; placeholders are HTML-escaped, `{{{raw}}}` ones are not. Up to 512 KiB.')
    .meta({ example: '<p>Hello {{name}}</p>' }),
  text_body: block(partBytes, '512 KiB')
    .optional()
    .describe('Plain-text body. Up to 512 KiB. At least one of the two bodies is required.'),
  alias: notSupportedYet('A second name, accepted wherever an id is.'),
}).meta({ id: 'CreateTemplate', description: 'A message with `{{variable}}` placeholders, stored for later sends.' })

const summaryFields = {
  object: z.literal('template'),
  id: z.string().describe('Pass it as `template_id` when sending.').meta({ example: 'tpl_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  name: z.string(),
  subject: z.string(),
  variables: z.array(z.string()).describe('The placeholders found; a send needs a value for each.'),
  version: z.int().describe('Counts up from 1; every change creates a new version.'),
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
