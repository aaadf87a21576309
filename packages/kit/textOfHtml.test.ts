import assert from 'node:assert/strict'
import { makeSlices } from './slices.ts'
import { textOfHtml } from './textOfHtml.ts'

describe('text part of HTML', () => {
  it('is the text of short and long HTML', async () => {
    assert.equal(await textOfHtml(makeSlices(), '<p>Hello</p>'), 'Hello')
    const long = await textOfHtml(makeSlices(), '<p>Hello</p>'.repeat(2_000))
    assert.equal(long?.startsWith('Hello'), true)
  })

  it('is null if the HTML has no text', async () => {
    assert.equal(await textOfHtml(makeSlices(), '<p></p>'), null)
  })
})
