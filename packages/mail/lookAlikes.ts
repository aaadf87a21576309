import confusables from 'unhomoglyph/data.json' with { type: 'json' }

/** Unicode's confusables.txt (UTS #39 §4): each character to the characters that it looks like. */
const lookAlikes: ReadonlyMap<string, string> = new Map(Object.entries(confusables))

/** Characters that are not drawn: `pay\u200Bpal.example` reads as paypal.example. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
/**
 * Full stops that the table maps to other signs, and dots that it does not have, such as Braille with one low dot. A
 * resolver reads the ideographic ones as dots (UTS 46 §2.3).
 */
const otherDots = /[\u3002\uFF61\u06D4\u0971\u1803\u2E33\u2804\u2820\u2840\u2880\u{1BC9F}]/gu
/** Dots at half height that the table does not have, such as Braille with one dot there. */
const otherMiddleDots = /[\u0888\u0F0B\u0F0C\u2802\u2810\u2981\u{1091F}\u{10A50}\u{10AF4}\u{11049}\u{115C4}\u{11F45}]/gu
/**
 * The Korean middle dot (U+318D) in its compatible spelling, which is a letter: between Latin letters it is drawn as a
 * dot.
 */
const koreanDots = /(?<=[a-z\d])\u119e(?=[a-z])/gi
/** Dots at half height, except between two l, as in Catalan: `paypal·example` reads as paypal.example. */
const middleDots = /(?<!l(?=.l))·(?=[a-z])/gi
/**
 * Dots and rings that are marks of the letter before: `bank\u0323com`. Real names have them too (Ṛgveda, Thạch, Meḥmed,
 * FİNET), so they count as dots only after two letters and before a well-known top-level domain that ends the word, and
 * not above an i.
 */
const dotMarks =
  /(?<=\p{L}{2}\p{M}*)(?:[\u0323\u0325]|(?<!i)\u0307)(?=(?:com|net|org|edu|gov|info|biz|app|shop|online|store|cloud|xyz|com?[\u0307\u0323\u0325.][a-z]{2})(?![\p{L}\p{M}\p{N}]))/giu

/** A circled a, which has the compatible spelling `a`, is drawn as `@`. */
const circledA = /[\u24B6\u24D0\u{1F150}]/gu

/** Spaces so narrow that two words read as one. */
const narrowSpaces = /[\u2006\u2008-\u200A\u202F\u205F]/g
/** Marks after a name, whose compatible spellings are letters: `Acme Inc.™` is no domain. */
const signsOfMarks = /[™℠]/g

/**
 * Letters in brackets, circles, squares and flags, each with the first of its alphabet. Their compatible spellings are
 * others.
 */
const enclosed: readonly [range: RegExp, first: number][] = [
  [/[\u249C-\u24B5]/gu, 0x249c],
  [/[\u{1F110}-\u{1F129}]/gu, 0x1f110],
  [/[\u{1F150}-\u{1F169}]/gu, 0x1f150],
  [/[\u{1F170}-\u{1F189}]/gu, 0x1f170],
  [/[\u{1F1E6}-\u{1F1FF}]/gu, 0x1f1e6],
]

/** Returns a text with `@` and letters in place of the signs that contain them. */
const opened = (text: string): string =>
  enclosed.reduce(
    (read, [range, first]) =>
      read.replaceAll(range, (sign) => String.fromCharCode(0x61 + (sign.codePointAt(0) ?? 0) - first)),
    text.replaceAll(circledA, '@').replaceAll('©', 'c').replaceAll('®', 'r'),
  )

const label = String.raw`[\p{L}\p{N}\p{S}\p{Pd}\p{Pc}\p{Co}\p{Cn}]`
/** The start of a top-level domain. A sign such as ○ may stand for a letter. */
const top = String.raw`\p{L}[\p{L}\p{N}\p{S}]`
/** What reads as an address or a domain. A space before a dot does not end a sentence. */
const addressLike: readonly RegExp[] = [
  /@|:\/\//,
  // Two labels, the last one beginning with a letter.
  new RegExp(String.raw`${label}\.${top}`, 'u'),
  new RegExp(String.raw`${label}\s+\.\s*${top}`, 'u'),
  // A digit in place of a letter: `bank.0rg`. After a digit the dot belongs to a number: `3.5mm`.
  /[\p{L}_-]\.\d\p{L}{2}/u,
]

const nonAscii = /[^\0-\x7F]/gu

/**
 * Returns how a name looks: without invisible characters and marks, each character outside ASCII as the one that it is
 * confused with. ASCII stays, because the table has letters for digits: `1.10` is no domain.
 */
const appearance = (name: string): string =>
  opened(name.replaceAll(signsOfMarks, '').replaceAll(narrowSpaces, ''))
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll('\u2800', ' ')
    .replaceAll(otherDots, '.')
    .replaceAll(otherMiddleDots, '·')
    .replaceAll(nonAscii, (character) => lookAlikes.get(character) ?? character)
    .normalize('NFD')
    .replaceAll(dotMarks, '.')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(middleDots, '.')
    .replaceAll(koreanDots, '.')

/** Returns whether a name reads as an address or a domain: the shared sender must not show `security@bank.example`. */
export const readsAsAddress = (name: string): boolean => {
  const seen = /[^\0-\x7F]/.test(name) ? appearance(name) : name
  return addressLike.some((shape) => shape.test(seen))
}
