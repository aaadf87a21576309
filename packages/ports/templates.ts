/** Templates and their immutable versions. */
export type TemplateStore = {
  /**
   * Stores a new template if its workspace has fewer than `most`, also while others are inserted.
   * @returns false: the workspace has `most` templates; nothing is stored
   * @throws Fault `conflict`: the workspace has a template of this name
   */
  insert(template: StoredTemplate, most: number): Promise<boolean>
  /** Returns one version; 0 is the newest. */
  get(workspace: string, id: string, version: number): Promise<StoredTemplate | null>
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

export type StoredTemplate = {
  id: string
  workspace: string
  name: string
  subject: string
  htmlBody: string | null
  textBody: string | null
  /** Names of the placeholders, in order of appearance. */
  variables: string[]
  version: number
  createdAt: number
  updatedAt: number
}

/** A template as lists show it. */
export type TemplateSummary = Omit<StoredTemplate, 'htmlBody' | 'textBody'>
