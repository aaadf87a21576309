import { textProblem } from '@postrider/mail/text.ts'
import { z } from 'zod'
import { report } from './closed.ts'

/** A text for one line: not empty, without control characters. @param max in characters */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .superRefine((text, context) => {
      const problem = textProblem(text)
      if (problem) report(context, { ...problem, input: text })
    })

/** A text of any lines: not empty. @param maxBytes in UTF-8 */
export const block = (maxBytes: number, limit: string) =>
  z
    .string()
    .min(1)
    .superRefine((text, context) => {
      // A character has at most three bytes a UTF-16 unit, so most texts needn't be measured.
      if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return
      report(context, { code: 'too_long', message: `At most ${limit} are allowed.` })
    })
