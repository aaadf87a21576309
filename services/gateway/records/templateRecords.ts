import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { TemplatePreview, TemplateRecord, TemplateSummary } from '@postrider/contracts/http/template.ts'
import type { ListedTemplate, RenderedParts } from '@postrider/contracts/services.ts'
import type { Template } from '@postrider/domain/templates/template.ts'
import { isoTime } from '@postrider/domain/time.ts'

/** A template as lists show it. The templates service of release 0.1 sends the bodies in lists too. */
export const templateSummary = (template: ListedTemplate) =>
  ({
    object: 'template',
    id: template.id,
    name: template.name,
    alias: template.alias ?? null,
    subject: template.subject,
    variables: template.variables,
    version: template.version,
    notices: template.notices ?? [],
    created_at: isoTime(template.createdAt),
    updated_at: isoTime(template.updatedAt),
  }) satisfies RecordOf<typeof TemplateSummary>

export const templateRecord = (template: Template) =>
  ({
    ...templateSummary(template),
    html_body: template.htmlBody,
    text_body: template.textBody,
  }) satisfies RecordOf<typeof TemplateRecord>

/** A rendered template. */
export const templatePreview = ({ source, ...preview }: RenderedParts) =>
  ({
    object: 'template_preview',
    template_id: source?.id ?? null,
    template_version: source?.version ?? null,
    subject: preview.subject,
    html_body: preview.htmlBody,
    text_body: preview.textBody,
    variables: preview.variables,
    notices: preview.notices,
  }) satisfies RecordOf<typeof TemplatePreview>
