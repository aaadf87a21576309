import { aliasProblem } from '@postrider/domain/templates/alias.ts'
import { z } from 'zod'
import { line, report } from './schema.ts'

// Apart from the other fields of templates, because their rules for values need Node, and the dashboard checks names
// too.

export const Name = line(200)

export const nameText = 'Name for people, unique in the workspace, up to 200 characters.'

export const Alias = z
  .string()
  .superRefine((text, context) => {
    const problem = aliasProblem(text)
    if (problem) report(context, { ...problem, input: text })
  })
  .meta({ pattern: '^[A-Za-z][A-Za-z0-9._-]{0,99}$', example: 'welcome' })

export const aliasText =
  'A second name, unique in the workspace and accepted wherever an id is: a letter, then up to 99 letters, digits, `.`, `_`, `-`. It must not start with `tpl_` or be `preview`.'
