import type { FormatCallback } from 'html-to-text'

/*
 * html-to-text joins a text to the last word of its line if no white space is between them, and copies that word each
 * time: a word of 100,000 characters before 4,000 inline elements took 1.3 s. So a word that is too long gets a line
 * break before the next text is joined to it.
 */

type Builder = Parameters<FormatCallback>[2]

/** Characters of a word to which more is joined. A line of a message has at most 998 (RFC 5322 §2.1.1). */
const maxWord = 1_000

/** The white space of the library, at which words end. */
const spaces = ' \t\r\n\f\u200b'

const isSpace = (character: string | undefined): boolean => character !== undefined && spaces.includes(character)

/** Returns the length of the last word, or `maxWord` + 1 if it is longer than that. */
const lastWordLength = (text: string): number => {
  let length = 0
  while (length <= maxWord && length < text.length && !isSpace(text[text.length - length - 1])) length += 1
  return length
}

/** Makes a builder begin a new line before it joins a text to a word that is too long. */
export const breakLongWords = (builder: Builder): void => {
  let word = 0
  const { addInline, addLiteral, addLineBreak, openBlock, closeBlock, openListItem, closeListItem } = builder
  const beginLine = (): void => {
    word = 0
    addLineBreak.call(builder)
  }
  builder.addInline = (text, options) => {
    if (isSpace(text[0])) word = 0
    else if (word > maxWord) beginLine()
    addInline.call(builder, text, options)
    const last = lastWordLength(text)
    word = last < text.length ? last : word + last
  }
  // The library joins a literal with its white space.
  builder.addLiteral = (text) => {
    if (word > maxWord) beginLine()
    addLiteral.call(builder, text)
    word += text.length
  }
  builder.addLineBreak = beginLine
  builder.openBlock = (options) => {
    word = 0
    openBlock.call(builder, options)
  }
  builder.closeBlock = (options) => {
    word = 0
    closeBlock.call(builder, options)
  }
  builder.openListItem = (options) => {
    word = 0
    openListItem.call(builder, options)
  }
  builder.closeListItem = () => {
    word = 0
    closeListItem.call(builder)
  }
}
