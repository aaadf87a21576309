import { namingProblems, partProblems } from '@postrider/domain/templates/parts.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { ParsedTemplate } from '@postrider/mail/template.ts'
import { templateAdviceSteps } from '@postrider/mail/templateAdvice.ts'
import { longPart, parseTemplateSteps } from '@postrider/mail/templateParse.ts'
import type { StoredTemplate } from '@postrider/ports/templates.ts'

/** Parts of a template that a person writes. */
export type TemplateParts = Pick<StoredTemplate, 'subject' | 'htmlBody' | 'textBody'>
export type NamedParts = TemplateParts & Pick<StoredTemplate, 'name' | 'alias'>

type Checked = { variables: string[]; notices: string[]; problems: Problem[] }

/**
 * Returns the variables of all parts in order of appearance, advice, and all problems, those of name and alias
 * included.
 */
export function* checkNamedParts(parts: NamedParts): Steps<Checked> {
  const checked = yield* checkTemplateParts(parts)
  return { ...checked, problems: [...namingProblems(parts), ...checked.problems] }
}

/** Returns the same for parts without a name. */
export function* checkTemplateParts({ subject, htmlBody, textBody }: TemplateParts): Steps<Checked> {
  const problems: Problem[] = partProblems({ subject, htmlBody, textBody })
  const variables = new Set<string>()
  const bodies: Partial<Record<string, { source: string; parsed: ParsedTemplate }>> = {}
  for (const [part, source] of [
    ['subject', subject],
    ['html_body', htmlBody],
    ['text_body', textBody],
  ] as const) {
    if (source === null) continue
    const parsed = yield* parseTemplateSteps(source, part)
    if (source.length > longPart) yield
    if (!parsed.ok) problems.push(...parsed.problems)
    else {
      bodies[part] = { source, parsed: parsed.template }
      for (const variable of parsed.template.variables) variables.add(variable)
    }
  }
  if (problems.length > 0) return { variables: [], notices: [], problems }
  const advised = { html: bodies['html_body'] ?? null, text: bodies['text_body'] ?? null }
  return { variables: [...variables], notices: yield* templateAdviceSteps(advised), problems }
}
