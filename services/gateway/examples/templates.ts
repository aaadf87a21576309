import { acceptedAt, deliveredAt, exampleOf, list, type OperationExamples, templateId } from './parts.ts'

const templateSummary = {
  object: 'template',
  id: templateId,
  name: 'welcome',
  alias: 'welcome',
  subject: 'Welcome, {{name}}',
  variables: ['name'],
  version: 1,
  notices: [],
  created_at: acceptedAt,
  updated_at: acceptedAt,
}

const secondVersion = { subject: 'Hello, {{name}}', version: 2, updated_at: deliveredAt }

const template = { ...templateSummary, html_body: '<p>Hello {{name}}</p>', text_body: 'Hello {{name}}' }

const preview = {
  object: 'template_preview',
  template_id: templateId,
  template_version: 1,
  subject: 'Welcome, Jane',
  html_body: '<p>Hello Jane</p>',
  text_body: 'Hello Jane',
  variables: ['name'],
  notices: [],
}

/** Examples of the operations on templates. */
export const templateExamples: Readonly<Record<string, OperationExamples>> = {
  createTemplate: {
    requests: exampleOf('A template with a placeholder', {
      name: 'welcome',
      subject: 'Welcome, {{name}}',
      html_body: '<p>Hello {{name}}</p>',
      text_body: 'Hello {{name}}',
      alias: 'welcome',
    }),
    reply: template,
  },
  listTemplates: { reply: list(templateSummary) },
  getTemplate: { reply: template },
  updateTemplate: {
    requests: exampleOf('Another subject', { subject: 'Hello, {{name}}' }),
    reply: { ...template, ...secondVersion },
  },
  listTemplateVersions: { reply: list({ ...templateSummary, ...secondVersion }) },
  getTemplateVersion: { reply: template },
  restoreTemplate: {
    requests: exampleOf('The first version', { version: 1 }),
    reply: { ...template, version: 3, updated_at: deliveredAt },
  },
  previewTemplate: {
    requests: exampleOf('The newest version', { template_vars: { name: 'Jane' } }),
    reply: preview,
  },
  previewDraft: {
    requests: exampleOf('Parts that are not stored', {
      subject: 'Welcome, {{name}}',
      html_body: '<p>Hello {{name}}</p>',
      text_body: 'Hello {{name}}',
      template_vars: { name: 'Jane' },
    }),
    reply: { ...preview, template_id: null, template_version: null },
  },
}
