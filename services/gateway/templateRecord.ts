import type { Template__Output as Template } from '@postrider/contracts/gen/postrider/templates/v1/Template.ts'

/** A template as the API shows it. */
export const templateRecord = (template: Template) => ({
  object: 'template' as const,
  id: template.id,
  name: template.name,
  subject: template.subject,
  html_body: template.html_body ?? null,
  text_body: template.text_body ?? null,
  variables: template.variables,
  version: template.version,
  created_at: template.created_at,
  updated_at: template.updated_at,
})
