/** Templates and their immutable versions. */
export type TemplateStore = {
  /** @throws Fault `conflict`: the workspace has a template of this name */
  insert(template: StoredTemplate): Promise<void>
  /** Returns one version; 0 is the newest. */
  get(workspace: string, id: string, version: number): Promise<StoredTemplate | null>
  /** Returns the newest version of each template, newest template first, starting after `before`. */
  list(
    workspace: string,
    before: string | null,
    limit: number,
  ): Promise<{ templates: StoredTemplate[]; hasMore: boolean }>
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
