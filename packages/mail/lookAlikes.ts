import confusables from 'unhomoglyph/data.json' with { type: 'json' }

/** Unicode's confusables.txt (UTS #39 §4): each character to the characters that it looks like. */
const lookAlikes: ReadonlyMap<string, string> = new Map(Object.entries(confusables))

/** Characters that are not drawn: `pay\u200Bpal.example` reads as paypal.example. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
/**
 * Full stops that the table maps to other signs, and dots that it does not have, such as Braille with one low dot. A resolver reads the ideographic ones as dots
 * (UTS 46 §2.3).
 */
const otherDots = /[\u3002\uFF61\u06D4\u0971\u1803\u2E33\u2804\u2820\u2840\u2880]/g
/** The Korean middle dot (U+318D) in its compatible spelling, which is a letter: between Latin letters it is drawn as a dot. */
const koreanDots = /(?<=[a-z\d])\u119e(?=[a-z])/gi
/** Dots at half height, except between two l, as in Catalan: `paypal·example` reads as paypal.example. */
const middleDots = /(?<!l(?=.l))·(?=[a-z])/gi
/** Two labels, the last one beginning with a letter: reads as a domain. */
const domainLike = /[\p{L}\p{N}-]\.\p{L}[\p{L}\p{N}]/u

const nonAscii = /[^\0-\x7F]/gu

/**
 * Returns how a name looks: without invisible characters and marks, each character outside ASCII as the one that it is
 * confused with. ASCII stays, because the table has letters for digits: `1.10` is no domain.
 */
const appearance = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll(otherDots, '.')
    .replaceAll(nonAscii, (character) => lookAlikes.get(character) ?? character)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(middleDots, '.')
    .replaceAll(koreanDots, '.')

/** Whether a name reads as an address or a domain: the shared sender must not show `security@bank.example`. */
export const readsAsAddress = (name: string): boolean => {
  const seen = /[^\0-\x7F]/.test(name) ? appearance(name) : name
  return seen.includes('@') || domainLike.test(seen)
}
