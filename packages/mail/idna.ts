import { domainToASCII, domainToUnicode } from 'node:url'

/*
 * Domain names beyond ASCII. UTS #46 maps and checks them in `domainToASCII`, which accepts characters that IDNA 2008
 * disallows, such as ☃: a registry refuses such a name, and two resolvers may read it differently. The name that the
 * mapping returns is checked, so a ligature is accepted as its letters; the record shows the name that mail goes to.
 */

/**
 * A label of characters that are PVALID, CONTEXTJ or CONTEXTO (RFC 5892 §3). `domainToASCII` checks the contexts of
 * joiners; the other contexts are checked below. In order:
 * - ASCII, exceptions (§2.6) and joiners (§2.8). Cherokee folds to its capital letters, unlike other scripts;
 * - not disallowed exceptions (§2.6), ignorable properties (§2.3) and blocks (§2.4), and old Hangul letters (§2.9);
 * - letters, digits and marks (§2.1). Capital letters are not stable (§2.2).
 */
const permitted = new RegExp(
  [
    '^(?:[a-z\\d\\-\u00b7\u00df\u0375\u03c2\u05f3\u05f4\u06fd\u06fe\u0f0b\u13a0-\u13f5\u200c\u200d\u3007\u30fb]|',
    '(?![\u0640\u07fa\u20d0-\u20ff\u302e\u302f\u3031-\u3035\u303b\\u{1d100}-\\u{1d24f}])',
    '(?![\\p{Default_Ignorable_Code_Point}\\p{White_Space}\\p{Noncharacter_Code_Point}])',
    '(?![\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb])',
    '[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Mn}\\p{Mc}\\p{Nd}])+$',
  ].join(''),
  'u',
)

/** RFC 5892 §2.2: a label that normalization and case folding change. */
const isStable = (label: string): boolean => {
  const other = label.replace(/[\u13a0-\u13f5]/g, '')
  return other.normalize('NFKC').toLowerCase().normalize('NFKC') === other
}

const contextual = /[\u00b7\u0375\u05f3\u05f4\u30fb\u0660-\u0669]/

/** RFC 5892, appendix A.3 to A.9, each as the spelling that breaks the rule. */
const brokenContexts: readonly RegExp[] = [
  /(?<!l)\u00b7|\u00b7(?!l)/, // middle dot: between two l
  /\u0375(?!\p{Script=Greek})/u, // Greek lower numeral sign: before a Greek letter
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u, // geresh and gershayim: after a Hebrew letter
  /^(?=.*\u30fb)[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u, // Katakana middle dot: in a Japanese label
  /^(?=.*[\u0660-\u0669]).*[\u06f0-\u06f9]/, // Arabic-Indic digits: not with the extended ones
]

/** RFC 5891 §4.2.3.1: no hyphens at the third and fourth position and at the ends; §4.2.3.3: contextual rules. */
const isPermittedLabel = (label: string): boolean =>
  label.slice(2, 4) !== '--' &&
  !label.startsWith('-') &&
  !label.endsWith('-') &&
  permitted.test(label) &&
  isStable(label) &&
  !(contextual.test(label) && brokenContexts.some((broken) => broken.test(label))) &&
  !/^\p{M}/u.test(label)

const nonAscii = /[^\0-\x7f]/
/** RFC 1035 §2.3.4, with a final dot. */
const [maxDomainLength, maxLabelLength] = [254, 63]

/**
 * Returns a domain name in lower-case A-labels; null: IDNA 2008 does not permit it. An ASCII name without A-labels is
 * returned in lower case, unchecked.
 */
export const asciiDomain = (domain: string): string | null => {
  const ascii = nonAscii.test(domain) ? domainToASCII(domain) : domain.toLowerCase()
  if (!ascii.includes('xn--')) return ascii
  if (ascii.length > maxDomainLength || ascii.split('.').some((label) => label.length > maxLabelLength)) return null
  // `domainToASCII` does not check the A-labels of an ASCII domain; decoding them shows whether they are valid.
  const labels = domainToUnicode(ascii).split('.')
  return labels.every((label) => (!nonAscii.test(label) ? !label.startsWith('xn--') : isPermittedLabel(label)))
    ? ascii
    : null
}
