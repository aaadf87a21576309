/** One directive or modifier of an SPF record (RFC 7208 §4.6.1), with its name in lower case and its value as given. */
export type SpfTerm = { qualifier: '+' | '-' | '~' | '?'; name: string; value: string; isModifier: boolean }

/** Returns whether a TXT record is an SPF record (RFC 7208 §4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

const mechanisms = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'])

/**
 * Reads an SPF record.
 * @returns `{ unknown }`: the first term that receivers do not support, for which they reject the record
 */
export const readSpf = (record: string): { terms: SpfTerm[] } | { unknown: string } => {
  const terms: SpfTerm[] = []
  for (const word of record.split(' ').slice(1)) {
    if (word === '') continue
    const modifier = /^([a-z][\w.-]*)=(.*)$/i.exec(word)
    const directive = /^([+\-~?]?)([a-z0-9]+)([:/].*)?$/i.exec(word)
    if (modifier) {
      terms.push({ qualifier: '+', name: `${modifier[1]}`.toLowerCase(), value: `${modifier[2]}`, isModifier: true })
    } else if (directive && mechanisms.has(`${directive[2]}`.toLowerCase())) {
      const qualifier = (directive[1] || '+') as SpfTerm['qualifier']
      const value = `${directive[3] ?? ''}`.replace(/^:/, '')
      terms.push({ qualifier, name: `${directive[2]}`.toLowerCase(), value, isModifier: false })
    } else {
      return { unknown: word }
    }
  }
  return { terms }
}

/** RFC 7208 §4.6.4: a receiver that needs more lookups reports a permanent error. */
export const maxSpfLookups = 10

const costs = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])

/**
 * Counts the lookups of a record and of those that it includes (RFC 7208 §4.6.4). Stops above `maxSpfLookups`, which
 * also ends loops.
 * @param recordOf the SPF record of a domain in lower case; null: there is none, or it is not known
 */
export const countSpfLookups = (terms: readonly SpfTerm[], recordOf: (domain: string) => string | null): number => {
  let count = 0
  const visit = (list: readonly SpfTerm[]): void => {
    for (const { name, value } of list) {
      if (!costs.has(name)) continue
      count++
      if (count > maxSpfLookups) return
      // A name with macros depends on the mail.
      if ((name !== 'include' && name !== 'redirect') || value.includes('%')) continue
      const record = recordOf(value.toLowerCase().replace(/\.$/, ''))
      const read = record === null ? null : readSpf(record)
      if (read && 'terms' in read) visit(read.terms)
    }
  }
  visit(terms)
  return count
}
