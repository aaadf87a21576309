/**
 * The entries of the index of lists one by one, so that a look at the beginning of a term can end. FTS5 itself reads
 * all entries that begin with it.
 */
export const emailTermEntries = `
CREATE VIRTUAL TABLE email_term_entries USING fts5vocab (email_terms, instance);
`
