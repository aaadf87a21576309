/** C0, DEL, C1, and the two separators that some software treats as line breaks. */
const control = /[\p{Cc}\u2028\u2029]/u

/**
 * Invisible characters that change the order or look of the text around them: marks, embeddings, isolates, zero width,
 * operators without a sign, deprecated switches of shapes, annotations.
 */
const bidi = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/

/** A problem of a text: a code for programs and a sentence for people. */
export type TextProblem = { code: string; message: string }

/** Returns the problem of a text that goes into a header field, such as a subject; null: none. */
export const textProblem = (text: string): TextProblem | null => {
  if (control.test(text)) {
    return { code: 'control_character', message: 'Line breaks and control characters are not allowed here.' }
  }
  if (!text.isWellFormed()) {
    return { code: 'lone_surrogate', message: 'The text is not valid Unicode: it contains a lone surrogate.' }
  }
  return null
}

export const invisibleCharacters = 'Invisible and direction-changing characters are not allowed here.'

/** Returns the problem of a name; null: none. A name must not be able to look like another one. */
export const nameProblem = (text: string): TextProblem | null =>
  textProblem(text) ?? (bidi.test(text) ? { code: 'control_character', message: invisibleCharacters } : null)

/** A flag of a region of a country, whose name is in tag characters (UTS #51, annex B). */
const regionFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu
/** A soft hyphen, and a tag character: without line breaks and flags, neither is drawn. */
const undrawn = /[\u00ad\u{e0000}-\u{e007f}]/u

/** Returns whether a name has a character that no reader sees: it reads as the same name without it. */
export const hasUndrawn = (name: string): boolean => undrawn.test(name) && undrawn.test(name.replaceAll(regionFlag, ''))

/**
 * A character that is drawn. The blank of Braille is no white space by its properties; a mark needs a character below
 * it.
 */
const drawn = /[^\u2800\p{White_Space}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/u

/** Returns whether a reader sees anything of a text. */
export const isDrawn = (text: string): boolean => drawn.test(text)

/** RFC 2047 §2. Decoders also accept spaces, a question mark in the text, and no charset, so these count too. */
const encodedWord = /=\?[^?]*\?[bq]\?.*?\?=/is

/** Returns whether a text contains an encoded word: a receiver that decodes it shows another text. */
export const hasEncodedWord = (text: string): boolean => text.includes('=?') && encodedWord.test(text)
