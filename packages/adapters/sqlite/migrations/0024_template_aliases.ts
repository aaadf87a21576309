/** Second names of templates. Templates that an earlier release stored have none. */
export const templateAliases = `
ALTER TABLE templates ADD COLUMN alias TEXT;
CREATE UNIQUE INDEX templates_by_alias ON templates (workspace, alias) WHERE alias IS NOT NULL;
`
