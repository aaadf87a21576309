import { plainTextSteps } from '@postrider/mail/plainText.ts'
import type { Slices } from './slices.ts'

/** Characters of HTML from which on it is converted in slices. */
const longHtml = 16_384

/** Returns the text part for HTML; null: the HTML has no text, and an empty part would hide it from readers of text. */
export const textOfHtml = async (slices: Slices, html: string): Promise<string | null> =>
  (await slices.run(plainTextSteps(html), html.length > longHtml)) || null
