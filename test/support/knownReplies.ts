import { readFileSync } from 'node:fs'
import { classify } from '@postrider/mail/replies/replies.ts'
import type { SmtpPhase } from '@postrider/mail/replies/rule.ts'

/** A known reply. `expected`: its class, with `!` if it is final. */
export type KnownReply = { provider: string; source: string; phase: SmtpPhase; expected: string; line: string }

const file = readFileSync(new URL('../../packages/mail/replies/corpus.txt', import.meta.url), 'utf8')

/** The replies of `corpus.txt`, for tests. */
export const knownReplies: readonly KnownReply[] = file
  .split('\n## ')
  .slice(1)
  .flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n')
    const [provider = '', source = ''] = heading.split(' | ')
    return lines
      .filter((line) => line !== '')
      .map((text) => {
        const [phase, expected = '', ...reply] = text.split(' ')
        return { provider, source, phase: phase as SmtpPhase, expected, line: reply.join(' ') }
      })
  })

/** Returns the reply of a line as a server sends it. */
export const readReply = (line: string) => {
  const parts = /^(\d{3})[ -]?(?:(\d\.\d{1,3}\.\d{1,3})(?: |$))?(.*)$/.exec(line)
  const [, code = '', enhanced = null, text = ''] = parts ?? []
  const fits = enhanced !== null && enhanced[0] === code[0]
  return { code: Number(code), enhanced: fits ? enhanced : null, text: fits ? text : line.slice(4) }
}

/** Returns the class of a line, with `!` if it is final. */
export const shownClass = (line: string, phase?: SmtpPhase): string => {
  const { class: replyClass, outcome } = classify(readReply(line), phase)
  return outcome === 'delivered' ? outcome : `${replyClass}${outcome === 'bounced' ? '!' : ''}`
}
