import { readFileSync } from 'node:fs'
import type { SmtpPhase } from '@postrider/mail/repliesRule.ts'

/** A known reply. `expected`: its class, with `!` if it is final. */
export type KnownReply = { provider: string; source: string; phase: SmtpPhase; expected: string; line: string }

const file = readFileSync(new URL('../../packages/mail/replies.corpus.txt', import.meta.url), 'utf8')

/** The replies of `replies.corpus.txt`, for tests. */
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
