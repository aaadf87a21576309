import assert from 'node:assert/strict'
import { dropTexts, recipientsText, releaseTexts, unknownText } from './parkedTexts.ts'

const email = { attempts: 0, may_have_arrived: false, on_unknown: 'retry', recipients: 1 } as const
const doubtful = { attempts: 2, may_have_arrived: true, recipients: 3 } as const

describe('what a decision about parked mail does', () => {
  it('is without doubt where no attempt ended without a reply', () => {
    assert.match(releaseTexts(email).join(' '), /none gets it twice/)
    assert.match(dropTexts(email).join(' '), /^The recipient that waits gets .* The sends are returned to the quota\.$/)
  })

  it('may send twice under retry', () => {
    const retry = { ...doubtful, on_unknown: 'retry' } as const
    assert.equal(unknownText(retry), 'It is sent again (retry)')
    assert.match(releaseTexts(retry).join(' '), /they may get it twice/)
    assert.match(
      dropTexts(retry).join(' '),
      /^The 3 recipients that wait get .* may have the message already.* not returned/,
    )
  })

  it('leaves recipients in doubt to the sender under hold', () => {
    const hold = { ...doubtful, on_unknown: 'hold' } as const
    assert.equal(unknownText(hold), 'The sender decides (hold)')
    assert.match(releaseTexts(hold).join(' '), /its sender decides. It is sent to the others/)
    assert.match(dropTexts(hold).join(' '), /“Needs decision” instead/)
  })
})

describe('the recipients of parked mail', () => {
  it('are named by domain, up to four', () => {
    assert.equal(recipientsText({ recipients: 2, domains: ['a.example'] }), '2 at a.example')
    const domains = ['a', 'b', 'c', 'd', 'e', 'f']
    assert.equal(recipientsText({ recipients: 1_200, domains }), '1,200 at a, b, c, d and 2 more')
  })
})
