import type { Template } from '@postrider/domain/templates/template.ts'
import type { TemplatesDefinition } from '../gen/postrider/templates/v1/Templates.ts'
import { allowedCalls } from './allowedCalls.ts'
import { innerMs, mebibyte, read, write } from './rules.ts'
import type { Requester, Service, ServiceSpec } from './service.ts'

export type TemplatesRpc = Service<TemplatesDefinition>

/** Values for the placeholders of a template. */
export type TemplateVars = Record<string, unknown>

type Bodies = Pick<Template, 'htmlBody' | 'textBody'>
type Parts = Pick<Template, 'subject'> & Bodies

/** A template in a list. It has its bodies only for a gateway of release 0.1. */
export type ListedTemplate = Omit<Template, keyof Bodies> & Partial<Bodies>

type ListReply = { templates: ListedTemplate[]; hasMore: boolean }

/** Content of a send with these values. */
export type RenderedParts = Parts &
  Pick<Template, 'variables'> & {
    /** The version that is rendered; null: the parts are not stored. */
    source: Pick<Template, 'id' | 'version'> | null
    notices: string[]
  }

/** `id` may be an alias. */
type TemplateKey = { workspace: string; id: string }
/** Version 0 is the newest one. */
type VersionKey = TemplateKey & { version: number }

/** Templates of a workspace and their immutable versions. Methods with an id throw Fault `not_found`. */
export type Templates = {
  /**
   * Stores version 1. An empty body is treated as absent.
   * @throws Fault `validation_failed`: all problems of all parts, or the workspace has too many templates; `conflict`
   */
  Create(request: { workspace: string } & Pick<Template, 'name' | 'alias'> & Parts & Requester): Promise<Template>
  Get(request: VersionKey): Promise<Template>
  /** Returns a page of at most 4 MiB, newest first, starting after the id `before`; null: from the newest. */
  List(request: { workspace: string; limit: number; before: string | null; withBodies?: true }): Promise<ListReply>
  /** Stores the changed parts as the next version; equal parts store nothing. Absent fields stay; null removes.
   * @throws Fault `validation_failed`, `conflict` */
  Update(
    request: TemplateKey & Requester & Partial<Pick<Template, 'name'> & Parts> & { alias?: string | null },
  ): Promise<Template>
  /** Removes a template with all versions. */
  Delete(request: TemplateKey & Requester): Promise<void>
  /**
   * Returns a page of at most 4 MiB, newest version first, starting after the version `before`; null: from the newest.
   */
  ListVersions(request: TemplateKey & { limit: number; before: number | null }): Promise<ListReply>
  /** Stores the parts of an earlier version as the next one. Name and alias stay. */
  Restore(request: VersionKey & Requester): Promise<Template>
  /** Renders a stored version as a send does. @throws Fault `validation_failed`: values are missing or unusable */
  Preview(request: VersionKey & { vars: TemplateVars }): Promise<RenderedParts>
  /** Renders parts that are not stored. @throws Fault `validation_failed` as Create and a send do */
  PreviewDraft(request: { workspace: string; vars: TemplateVars } & Parts): Promise<RenderedParts>
}

export const templatesSpec: ServiceSpec<TemplatesRpc> = {
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
    ListVersions: { ...read, hasLongReply: true },
    Restore: write,
    Preview: read,
    PreviewDraft: read,
  },
}
