import { assertCpuBelow } from '../../../test/support/cost.ts'
import { readReply } from './text.ts'

describe('words of a reply', () => {
  // The end of an id was searched from each bracket: 1.6 ms a reply.
  for (const bracket of '[(')
    it(`are read quickly from a text of ${bracket}`, () =>
      assertCpuBelow(25, () => {
        const text = `mailbox unavailable: ${bracket.repeat(970)}`
        for (let reply = 0; reply < 50; reply++) readReply({ enhanced: null, text })
      }))
})
