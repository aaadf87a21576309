import assert from 'node:assert/strict'
import { assertStepsBelow } from '../../test/support/cost.ts'
import { inlineImages, withInlineImages } from './inlineImages.ts'
import { finish } from './steps.ts'

const image = <Id extends string | null>(contentId: Id, contentType = 'image/png', content = Buffer.from('abc')) => ({
  contentId,
  contentType,
  content,
})

describe('images of an HTML part', () => {
  const logo = { contentId: 'logo@x', contentType: 'IMAGE/PNG', content: Buffer.from('abc') }
  const data = 'data:image/png;base64,YWJj'
  const shown = (markup: string) => finish(withInlineImages(markup, [logo])).join('')

  for (const [markup, expected] of [
    ['<img src="cid:logo@x">', `<img src="${data}">`],
    ["<img src='cid:logo%40x'>", `<img src='${data}'>`],
    ['<img src=cid:logo@x>', `<img src=${data}>`],
    ['<td background= "CID:logo@x">', `<td background= "${data}">`],
    ['<p style="background:url(cid:logo@x)">', `<p style="background:url(${data})">`],
    ['<img src="cid:logo@x"><img src="cid:logo@x">', `<img src="${data}"><img src="${data}">`],
    ['<img src="cid:other">', '<img src="cid:other">'],
    ['<img src="cid:%E0%A4%A">', '<img src="cid:%E0%A4%A">'],
    ['<p>The URL cid:logo@x</p>', '<p>The URL cid:logo@x</p>'],
    ['', ''],
  ] as const)
    it(`replaces the URLs of its files in ${JSON.stringify(markup)}`, () => {
      assert.equal(shown(markup), expected)
    })

  // Each URL was replaced by a copy of the image: 100,000 URLs of a large one ended the process.
  it('are in the page as often as its length permits', () => {
    const large = image('a', 'image/png', Buffer.alloc(2 ** 20, 1))
    const markup = '<img src="cid:a">'.repeat(100_000)
    const page = finish(withInlineImages(markup, [large])).join('')
    const [shown, hidden] = ['"data:', '"cid:'].map((start) => page.split(start).length - 1)
    assert.deepEqual([shown, hidden], [5, 99_995])
  })

  it('are put into long HTML in short steps', async () => {
    const images = ['a', 'b', 'c'].map((id) => image(id, 'image/png', Buffer.alloc(1_300_000, 1)))
    for (const name of ['a', 'b', 'other', '%61', '%E0%A4%A'])
      await assertStepsBelow(50, () => withInlineImages(`é${`<img src="cid:${name}">`.repeat(120_000)}`, images))
  })

  it('are pictures with a Content-ID, at most 4 MiB together', () => {
    const large = Buffer.alloc(3 * 2 ** 20)
    const files = [
      image('a', 'image/jpeg', large),
      image('b', 'image/gif', large),
      image('c'),
      image(null),
      image('d', 'image/svg+xml'),
      image('e', 'text/html'),
    ]
    assert.deepEqual(
      inlineImages(files).map(({ contentId }) => contentId),
      ['a', 'c'],
    )
  })
})
