import assert from 'node:assert/strict'
import { type Fakes, testGateway } from '../testGateway.ts'

const content = { subject: 's', html: null, text: null, headers: {}, attachments: [], attachmentsRemovedAt: null }
const requests: unknown[] = []

const gatewayWith = (over: object) => {
  const intake = {
    GetContent: async (request: unknown) => {
      requests.push(request)
      return { ...content, ...over }
    },
  } as unknown as NonNullable<Fakes['intake']>
  return testGateway({ intake })
}

const path = '/api/v1/emails/em_1/html'

describe('page of an email for a frame', () => {
  it('allows nothing that runs, sends or loads, and no other site around it', async () => {
    await using gateway = await gatewayWith({ html: '<p onclick="canary()">Hi</p><script>canary()</script>' })
    const { status, headers, text } = await gateway.api({ path })
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^text\/html; charset=utf-8$/)
    assert.equal(
      headers['content-security-policy'],
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    )
    assert.deepEqual(
      [
        headers['x-content-type-options'],
        headers['referrer-policy'],
        headers['cross-origin-resource-policy'],
        headers['cache-control'],
      ],
      ['nosniff', 'no-referrer', 'same-origin', 'no-store'],
    )
    assert.equal(text, '<base target="_blank"><p onclick="canary()">Hi</p><script>canary()</script>')
    assert.equal((requests.at(-1) as { inlineImages: boolean }).inlineImages, true)
  })

  it('loads images of other hosts only on request', async () => {
    await using gateway = await gatewayWith({ html: '<img src="https://other.example/a.png">' })
    const policy = async (query: string) =>
      String((await gateway.api({ path: `${path}${query}` })).headers['content-security-policy'])
    assert.match(await policy('?images=show'), /img-src data: https: http:; /)
    assert.match(await policy('?images=block'), /img-src data:; /)
    assert.equal((await gateway.api({ path: `${path}?images=yes` })).status, 400)
  })

  it('shows images of the message, and leaves the doctype first', async () => {
    const attachments = [
      { filename: 'a.png', contentType: 'image/png', contentId: 'logo', size: 3, content: Buffer.from('png') },
      { filename: 'b.txt', contentType: 'text/plain', contentId: 'notes', size: 3 },
    ]
    const html = '<!DOCTYPE html><img src="cid:logo"><img src="cid:notes">'
    await using gateway = await gatewayWith({ html, attachments })
    const expected = '<!DOCTYPE html><base target="_blank"><img src="data:image/png;base64,cG5n"><img src="cid:notes">'
    assert.equal((await gateway.api({ path })).text, expected)
  })

  it('shows the text of an email without HTML as text', async () => {
    await using gateway = await gatewayWith({ text: 'a < b\n</pre><script>canary()</script>' })
    const { text } = await gateway.api({ path })
    assert.match(text, />a &lt; b\n&lt;\/pre&gt;&lt;script&gt;canary\(\)&lt;\/script&gt;<\/pre>$/)
  })
})
