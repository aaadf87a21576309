import type { TemplatesDefinition } from '../gen/postrider/templates/v1/Templates.ts'
import { allowedCalls } from './allowedCalls.ts'
import { innerMs, mebibyte, read, write } from './rules.ts'
import type { Service, ServiceSpec } from './service.ts'

export type Templates = Service<TemplatesDefinition>

export const templatesSpec: ServiceSpec<Templates> = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  callers: { gateway: allowedCalls.gateway.templates, intake: allowedCalls.intake.templates },
  // A page of templates of release 0.1 includes their bodies.
  messageBytes: 64 * mebibyte,
  methods: {
    Create: write,
    Get: { deadlineMs: innerMs, repeatable: true },
    List: read,
    Update: write,
    Delete: write,
    ListVersions: read,
    Restore: write,
    Preview: read,
    PreviewDraft: read,
  },
}
