import { foldCase } from '../letterCase.ts'
import type { Email } from './email.ts'
import type { EmailQuery } from './filter.ts'

/*
 * The terms of an email, by which the index of lists finds it: one for each value that a filter can name, and the parts
 * of its subject. A term has ASCII letters and digits only, and begins with a hash of the workspace. Terms of different
 * values may be equal, so `matches` decides.
 *
 * Values are hashed because of their length. A term of a subject has the codes of up to three characters; the last two
 * begin shorter ones, so every part of a subject is the beginning of one of its terms.
 */

/** Maximum length of a part of a subject that one term has, in UTF-16 code units. */
const partUnits = 3

/** More parts of a searched text would find hardly fewer emails. */
const maxParts = 16

/** FNV-1a, with a last step that spreads it over all bits. */
const hash = (text: string): number => {
  let hashed = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hashed = Math.imul(hashed ^ text.charCodeAt(at), 0x01000193)
  hashed = Math.imul(hashed ^ (hashed >>> 15), 0x2c1b3c6d)
  return (hashed ^ (hashed >>> 13)) >>> 0
}

const hashed = (text: string): string => (hash(text) % 36 ** 6).toString(36).padStart(6, '0')

/** Two digits for each character, equal for few others. */
const codes: readonly string[] = Array.from({ length: 36 * 36 }, (_, code) => code.toString(36).padStart(2, '0'))
const codesOf = (folded: string): string[] => {
  const found: string[] = []
  for (let at = 0; at < folded.length; at += 1) found.push(codes[folded.charCodeAt(at) % codes.length] ?? '')
  return found
}

/** The beginning of terms of a subject that have these characters. */
const partAt = (of: readonly string[], at: number): string => `${of[at]}${of[at + 1] ?? ''}${of[at + 2] ?? ''}`

type Kind = 'mode' | 'category' | 'key' | 'from' | 'template' | 'to' | 'tag' | 'subject'
const letters: Record<Kind, string> = {
  mode: 'm',
  category: 'c',
  key: 'k',
  from: 'f',
  template: 'p',
  to: 't',
  tag: 'g',
  subject: 's',
}

const tagTerm = (name: string, value: string): string => `${name}\n${value}`

/** Returns the terms of an email, some more than once. They change only when something of it is removed. */
export const termsOf = (email: Email): string[] => {
  const workspace = hashed(email.workspace)
  const of = (kind: Kind, text: string): string => workspace + letters[kind] + hashed(text)
  const terms = [
    of('mode', email.mode),
    of('category', email.category),
    of('key', email.keyId),
    of('from', foldCase(email.from.address)),
  ]
  if (email.templateId !== null) terms.push(of('template', email.templateId))
  for (const { address } of email.recipients) terms.push(of('to', foldCase(address)))
  for (const [name, value] of Object.entries(email.tags)) terms.push(of('tag', tagTerm(name, value)))
  const subject = codesOf(foldCase(email.subject))
  const start = workspace + letters.subject
  for (let at = 0; at < subject.length; at += 1) terms.push(start + partAt(subject, at))
  return terms
}

/**
 * `all`: terms of every matching email. `start`: each matching email has a term that begins with it; null: `all` is
 * complete.
 */
export type QueryTerms = { all: string[]; start: string | null }

/** Returns the terms by which an index narrows a query. Both empty: it has no filter with terms. */
export const termsOfQuery = (query: EmailQuery): QueryTerms => {
  const workspace = hashed(query.workspace)
  const term = (kind: Kind, text: string | null): string[] =>
    text === null ? [] : [`${workspace}${letters[kind]}${hashed(text)}`]
  const { mode, category, keyId, from, templateId, to, tag } = query
  const subject = codesOf(foldCase(query.subject ?? ''))
  const start = `${workspace}${letters.subject}`
  return {
    all: [
      ...term('to', to && foldCase(to)),
      ...term('tag', tag && tagTerm(tag.name, tag.value)),
      ...term('template', templateId),
      ...term('from', from && foldCase(from)),
      ...term('key', keyId),
      ...term('category', category),
      ...term('mode', mode),
      ...searchedParts(subject).map((part) => start + part),
    ],
    start: subject.length > 0 && subject.length < partUnits ? start + partAt(subject, 0) : null,
  }
}

/** Returns parts of a searched text, spread evenly over it. */
const searchedParts = (subject: readonly string[]): string[] => {
  const last = subject.length - partUnits
  if (last < 0) return []
  const count = Math.min(last + 1, maxParts)
  const step = count === 1 ? 0 : last / (count - 1)
  return [...new Set(Array.from({ length: count }, (_, index) => partAt(subject, Math.round(index * step))))]
}
