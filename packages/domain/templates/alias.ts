/** An alias is accepted wherever an id is, so it never looks like one. */
const idPrefix = 'tpl_'

/** Words that follow `/templates/` in paths of the API. */
const reserved: ReadonlySet<string> = new Set(['preview'])

const shape = /^[A-Za-z][A-Za-z0-9._-]{0,99}$/

/** Returns what is wrong with the alias of a template; null: nothing. */
export const aliasProblem = (alias: string): { code: string; message: string } | null => {
  if (!shape.test(alias)) {
    const message = 'An alias starts with a letter and has at most 100 letters, digits, ".", "_" and "-".'
    return { code: 'invalid_alias', message }
  }
  if (reserved.has(alias)) {
    return { code: 'invalid_alias', message: `${alias} is a path of the API; choose another alias.` }
  }
  return alias.startsWith(idPrefix)
    ? { code: 'invalid_alias', message: `An alias must not start with ${idPrefix}, as ids do.` }
    : null
}

/** Tests whether a text names a template by its alias, not by its id. */
export const isAlias = (text: string): boolean => aliasProblem(text) === null
