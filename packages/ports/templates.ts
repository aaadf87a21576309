import type { Template } from '@postrider/domain/templates/template.ts'
import type { AuditEntry } from './audit.ts'

/** Templates and their immutable versions. */
export type TemplateStore = {
  /**
   * Stores a new template and its audit entry if its workspace has fewer than `max`, even while others are inserted.
   * @returns `full`: the workspace has `max` templates; nothing is stored
   */
  insert(template: StoredTemplate, max: number, audit: AuditEntry): Promise<'stored' | 'full' | TakenName>
  /**
   * Stores the next version of a template and its audit entry if the version before it is the newest. Earlier versions
   * do not change.
   * @returns `changed`: the newest version is another one, or the template does not exist; nothing is stored, and its
   * name is not compared
   */
  update(template: StoredTemplate, audit: AuditEntry): Promise<'stored' | 'changed' | TakenName>
  /**
   * Removes a template with all versions and stores the audit entry if `version` is the newest. Its name, its alias and
   * its slot in the workspace are free then.
   * @returns false: the newest version is another one, or the template does not exist; nothing is removed
   */
  remove(workspace: string, id: string, version: number, audit: AuditEntry): Promise<boolean>
  /** Returns one version; 0 is the newest. */
  get(workspace: string, id: string, version: number): Promise<StoredTemplate | null>
  /** Returns one version of the template whose newest version has this alias; 0 is the newest. */
  getByAlias(workspace: string, alias: string, version: number): Promise<StoredTemplate | null>
  /**
   * Returns the versions of a template without their bodies, newest first, from the one before `before`; null: from the
   * newest. `hasMore` is also set when the bytes of a page end it (domain/listPage.ts).
   */
  listVersions(
    workspace: string,
    id: string,
    before: number | null,
    limit: number,
  ): Promise<{ templates: TemplateSummary[]; hasMore: boolean }>
  /**
   * Returns the newest version of each template without its bodies, newest template first, starting after `before`.
   * `hasMore` is also set when the bytes of a page end it (domain/listPage.ts).
   */
  list(
    workspace: string,
    before: string | null,
    limit: number,
  ): Promise<{ templates: TemplateSummary[]; hasMore: boolean }>
}

/** Another template of the workspace has this name or alias; nothing is stored. */
export type TakenName = 'name_taken' | 'alias_taken'

/** One version of a template of a workspace. */
export type StoredTemplate = Template & { workspace: string }

/** A template as lists show it. */
export type TemplateSummary = Omit<StoredTemplate, 'htmlBody' | 'textBody'>
