import { anyOf, pattern, wordsOf } from './pattern.ts'
import { foldText } from './text.ts'

/** Pairs of lists, which commas separate: one of the first before one of the second in the same sentence. */
type Pairs = readonly (readonly [subjects: string, states: string])[]

const listOf = (list: string): RegExp => wordsOf(foldText(list).split(', '))

/** A Latin word begins here: “pien” is not a part of “recipient”. */
const latinStart = /(?<![a-z](?=[a-z]))/

/**
 * Returns a pattern for any of these pairs. A Latin state begins a word. The distance is bounded, so that matching is
 * fast.
 */
export const pairs = (...lists: Pairs): RegExp =>
  anyOf(...lists.map(([subjects, states]) => pattern`${listOf(subjects)}[^.;]{0,40}?${latinStart}${listOf(states)}`))

/** Returns a pattern for any of these phrases, which commas separate, read as the text of a reply is read. */
export const phrases = (...lists: readonly string[]): RegExp =>
  wordsOf(lists.flatMap((list) => foldText(list).split(', ')))

/**
 * Returns a pattern for a possessive before a thing that is ours, with at most one word between: “Ihr gesamtes Konto”.
 * An IP address is not meant. A Latin possessive begins a word.
 */
export const owned = (...lists: Pairs): RegExp =>
  anyOf(
    ...lists.map(([possessives, things]) => {
      const start = /^[a-z]/.test(foldText(possessives)) ? /\b/ : /(?:)/
      return pattern`${start}${listOf(possessives)} (?:(?!ip\b)[^\s.;:,]{1,20} )?${listOf(things)}(?!\w{0,2} ip\b)`
    }),
  )
