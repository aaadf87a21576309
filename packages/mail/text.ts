/** C0, DEL, C1, and the two separators that some software takes for line breaks. */
const control = /[\p{Cc}\u2028\u2029]/u

/** What changes the order or the look of the text around it without being seen: marks, embeddings, isolates, zero width. */
const bidi = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/

export const hasControl = (text: string): boolean => control.test(text)

export const hasBidi = (text: string): boolean => bidi.test(text)

/** What is wrong with a text: a name for machines, and a sentence for people. */
export type TextProblem = { code: string; message: string }

/** A text that goes into a header as it is, such as a subject; null where nothing is wrong with it. */
export const textProblem = (text: string): TextProblem | null => {
  if (control.test(text)) {
    return { code: 'control_character', message: 'Line breaks and control characters are not allowed here.' }
  }
  if (!text.isWellFormed()) {
    return { code: 'lone_surrogate', message: 'The text holds half of a character (a lone surrogate).' }
  }
  return null
}

/** A text that names somebody or something; it must not be able to look like another one. */
export const nameProblem = (text: string): TextProblem | null =>
  textProblem(text) ??
  (bidi.test(text)
    ? { code: 'control_character', message: 'Invisible and direction-changing characters are not allowed here.' }
    : null)
