import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * Domain names beyond ASCII. UTS #46 maps and checks them in `domainToASCII`, which accepts characters that IDNA 2008
 * disallows, such as ☃: a registry refuses such a name, and two resolvers may read it differently.
 */

/** RFC 5892 §2.6: characters whose category does not decide. Cherokee folds to its capital letters, unlike other scripts. */
const validExceptions = /[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007\u13a0-\u13f5]/
const disallowedExceptions = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/

/** RFC 5892 §2.1: letters, digits and marks. Capital letters are not stable (§2.2). */
const letterDigits = /[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]/u
/** RFC 5892 §2.3, §2.4, §2.9: ignorable properties, ignorable blocks, and old Hangul letters. */
const ignorable =
  /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}]|[\u20d0-\u20ff]|[\u{1d100}-\u{1d24f}]|[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u
/** RFC 5892 §2.8: joiners. `domainToASCII` checks their context. */
const joiners = /[\u200c\u200d]/

/** RFC 5892 §2.2: the character does not change under normalisation and case folding. */
const isStable = (character: string): boolean =>
  character.normalize('NFKC').toLowerCase().normalize('NFKC') === character

/** Whether a character of a label is PVALID or CONTEXTJ (RFC 5892 §3), or CONTEXTO, whose context is checked apart. */
const isPermitted = (character: string): boolean => {
  if (/[a-z\d-]/.test(character) || validExceptions.test(character) || contextual.test(character)) return true
  if (joiners.test(character)) return true
  if (disallowedExceptions.test(character) || ignorable.test(character)) return false
  return letterDigits.test(character) && isStable(character)
}

/** RFC 5892 §2.6: permitted only in the contexts of appendix A. */
const contextual = /[\u00b7\u0375\u05f3\u05f4\u30fb\u0660-\u0669\u06f0-\u06f9]/

/** RFC 5892, appendix A.3 to A.9, each as the spelling that breaks the rule. */
const brokenContexts: readonly RegExp[] = [
  /(?<!l)\u00b7|\u00b7(?!l)/, // middle dot: between two l
  /\u0375(?!\p{Script=Greek})/u, // Greek lower numeral sign: before a Greek letter
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u, // geresh and gershayim: after a Hebrew letter
  /^(?=.*\u30fb)[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u, // Katakana middle dot: in a Japanese label
  /^(?=.*[\u0660-\u0669]).*[\u06f0-\u06f9]/, // Arabic-Indic digits: not with the extended ones
]

/** RFC 5891 §4.2.3.1: no hyphens in the third and fourth place; §4.2.3.3: contextual rules. */
const isPermittedLabel = (label: string): boolean =>
  label.slice(2, 4) !== '--' &&
  [...label].every(isPermitted) &&
  !brokenContexts.some((broken) => broken.test(label)) &&
  !/^\p{M}/u.test(label)

const nonAscii = /[^\0-\x7f]/

/**
 * Returns a domain name in lower-case A-labels; null: IDNA 2008 does not permit it. An ASCII name without A-labels is
 * returned in lower case, unchecked.
 */
export const asciiDomain = (domain: string): string | null => {
  const ascii = nonAscii.test(domain) ? domainToASCII(domain) : domain.toLowerCase()
  if (!ascii.includes('xn--')) return ascii
  // `domainToASCII` does not check the A-labels of an ASCII domain; decoding them shows whether they are valid.
  const labels = domainToUnicode(ascii).split('.')
  return labels.every((label) => (!nonAscii.test(label) ? !label.startsWith('xn--') : isPermittedLabel(label)))
    ? ascii
    : null
}
