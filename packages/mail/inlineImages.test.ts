import assert from 'node:assert/strict'
import { inlineImages, withInlineImages } from './inlineImages.ts'
import { finish } from './steps.ts'

const image = (contentId: string | null, contentType = 'image/png', content = Buffer.from('abc')) => ({
  contentId,
  contentType,
  content,
})

describe('images of an HTML part', () => {
  const logo = { contentId: 'logo@x', contentType: 'IMAGE/PNG', content: Buffer.from('abc') }
  const data = 'data:image/png;base64,YWJj'
  const shown = (markup: string) => finish(withInlineImages(markup, [logo]))

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
