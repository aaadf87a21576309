/**
 * Single entries of the index of lists, so that a lookup by the start of a term can be limited. FTS5 itself reads all
 * entries that begin with it.
 */
export const emailTermEntries = `
CREATE VIRTUAL TABLE email_term_entries USING fts5vocab (email_terms, instance);
`
