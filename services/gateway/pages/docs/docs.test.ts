import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { faultCodes, problemType } from '@postrider/kit/fault.ts'
import { readQuery } from '../../checks/checkRequest.ts'
import { exampleQueries } from '../../examples/queries.ts'
import { openapiDocument } from '../../openapi/openapi.ts'
import { routes } from '../../routes/routes.ts'
import { type TestGateway, testGateway } from '../../testGateway.ts'
import { guideGroups, guidePath } from './guides.ts'

const headers = { accept: 'text/html' }
const document = openapiDocument(routes)
const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods)) as {
  operationId: string
  tags: string[]
}[]
const areaOf = (tag = ''): string => `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`

/** The text of an element's markup as a person reads it. */
const unescaped = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('documentation', () => {
  let gateway: TestGateway
  /** Every page by its path, found by the links of the first one. */
  const pages = new Map<string, string>()
  before(async () => {
    gateway = await testGateway()
    const open = ['/docs']
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const { status, text } = await gateway.call({ path, headers })
      assert.equal(status, 200, path)
      pages.set(path, text)
      for (const [, link = ''] of text.matchAll(/href="(\/(?:docs|problems)[^"#]*)/g))
        if (!pages.has(link) && !open.includes(link) && !link.includes('/assets/')) open.push(link)
    }
  })
  after(() => gateway[Symbol.asyncDispose]())

  const pageAt = (path: string): string => pages.get(path) ?? assert.fail(`no link leads to ${path}`)

  it('has a page for each guide, area and error, each reached by links', () => {
    for (const { guides } of guideGroups) for (const guide of guides) pageAt(guidePath(guide))
    for (const { name } of document.tags ?? []) pageAt(areaOf(name))
    for (const code of faultCodes) pageAt(problemType(code))
    assert.ok(pages.size > 40)
  })

  it('has links and fragments that exist', () => {
    const broken = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/href="([^"]+)"/g)].flatMap(([, link = '']) => {
        const [target = '', fragment] = link.split('#')
        const other = pages.get(target === '' ? path : target)
        if (other === undefined || fragment === undefined) return []
        return other.includes(`id="${fragment}"`) ? [] : [`${path}: ${link}`]
      }),
    )
    assert.deepEqual(broken, [])
  })

  it('shows no comment of a file', () => {
    for (const [path, text] of pages) assert.ok(!text.includes('&lt;!--'), path)
  })

  it('has no id twice in a page', () => {
    for (const [path, text] of pages) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.deepEqual(ids, [...new Set(ids)], path)
    }
  })

  it('describes every operation and object of the OpenAPI document', () => {
    for (const { operationId, tags } of operations)
      assert.ok(pageAt(areaOf(tags[0])).includes(`<h2 id="${operationId}">`), operationId)
    for (const name of Object.keys(document.components?.schemas ?? {}))
      assert.ok(pageAt('/docs/reference/objects').includes(`<h2 id="object-${name}">`), name)
  })

  // The reference was one page: links from elsewhere have its fragments.
  it('has every fragment of the former page on the first one', () => {
    const ids = ['start', 'authentication', 'repeating', 'limits', 'lists', 'fields', 'errors', 'objects']
    const former = [
      ...ids,
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(document.components?.schemas ?? {}).map((name) => `object-${name}`),
    ]
    assert.deepEqual(
      former.filter((id) => !pageAt('/docs').includes(` id="${id}"`)),
      [],
    )
  })

  it('loads nothing from other hosts and has no inline script or style', async () => {
    for (const [path, text] of pages) {
      assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/, path)
      const loaded = [...text.matchAll(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)="([^"]*)"/g)]
      for (const [, url = ''] of loaded) assert.match(url, /^(\/(?!\/)|data:,$)/, path)
    }
    const { headers: answered } = await gateway.call({ path: '/docs', headers })
    assert.match(
      String(answered['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    assert.doesNotMatch(String(answered['content-security-policy']), /unsafe/)
  })

  it('shows each example in three languages, responses, headers and errors', () => {
    const text = pageAt('/docs/reference/emails')
    for (const part of [
      'await fetch(',
      'urlopen(request)',
      'Response 202',
      'Retry-After',
      'Idempotent-Replayed',
      'Quota-Remaining',
    ])
      assert.ok(text.includes(part), part)
    assert.match(unescaped(text), /-d '\{\n {2}"to": \[\n {4}"Jane Doe/)
    assert.match(text, /<a class="anchor" href="#sendEmail"/)
    for (const code of ['validation_failed', 'quota_exceeded', 'rate_limited'] as const)
      assert.ok(text.includes(`<a href="${problemType(code)}"><code>${code}</code></a>`), code)
  })

  it('has example queries that their operations accept', () => {
    for (const [name, query] of Object.entries(exampleQueries)) {
      const { query: schema } = routes.find((route) => route.name === name) ?? assert.fail(`no operation ${name}`)
      assert.ok(schema, `${name} has no query`)
      readQuery(schema, query)
    }
  })

  it('shows paths with the ids of the examples', () => {
    const all = [...pages.values()].join('\n')
    assert.match(all, /\/api\/v1\/emails\/em_01\w+\/cancel/)
    for (const program of all.matchAll(/<pre[^>]*data-language="curl">.*?<\/pre>/gs))
      assert.doesNotMatch(program[0], /\/api\/v1\S*\{/)
  })

  it('shows the programs of a guide unchanged, with the address of this service', () => {
    const source = readFileSync(new URL('../../../../docs/recipes.md', import.meta.url), 'utf8')
    const text = pageAt('/docs/recipes')
    for (const [, title = ''] of source.matchAll(/^## (.+)$/gm))
      assert.ok(text.includes(`${title} <a class="anchor"`), title)
    const shown = [...text.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, code = '']) => unescaped(code))
    const written = [...source.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) =>
      code.trimEnd().replace('http://localhost:8080', 'https://mail.example.com'),
    )
    assert.deepEqual(shown, written)
  })

  it('leads from codes and operations in a text to their pages', () => {
    const text = pageAt('/docs/idempotency')
    assert.ok(text.includes('<a href="/problems/idempotency-in-flight"><code>idempotency_in_flight</code></a>'))
    assert.ok(text.includes('<a href="/docs/reference/emails#sendBatch"><code>POST /emails/batch</code></a>'))
  })

  it('shows headings, quotes, tables and lists of guides', () => {
    const text = pageAt('/docs/domains')
    assert.match(text, /<blockquote><p>The record is at _postrider\.example\.com\.example\.com instead/)
    assert.match(text, /<th scope="col"><code>purpose<\/code><\/th>/)
    assert.match(text, /<ol><li>.*?<\/li><li>/s)
    for (const [path, page] of pages)
      assert.doesNotMatch(unescaped(page.replaceAll(/<pre.*?<\/pre>|<code>.*?<\/code>/gs, '')), /\*\*|```|\]\(/, path)
  })

  it('explains every error, as a page and as JSON', async () => {
    const { body } = await gateway.call({ path: '/problems/quota-exceeded' })
    assert.deepEqual([body.code, body['status']], ['quota_exceeded', 402])
    assert.doesNotMatch(`${body['what']}${body['help']}`, /`/)
    assert.match(pageAt('/problems/csrf'), /<code>X-CSRF-Token<\/code>/)
    assert.match(pageAt('/problems/validation-failed'), /href="\/docs\/reference\/emails#sendEmail"/)
    assert.equal((await gateway.call({ path: '/problems/nothing' })).status, 404)
  })

  it('is sent compressed, and not again to a browser that has it', async () => {
    const [, script = ''] = /<script src="([^"]+)" defer>/.exec(pageAt('/docs')) ?? []
    for (const [path, cache] of [
      ['/docs', 'no-cache'],
      ['/docs/reference/emails', 'no-cache'],
      ['/problems/conflict', 'no-cache'],
      [script, 'public, max-age=31536000, immutable'],
    ] as const) {
      for (const encoding of ['br', 'gzip'] as const) {
        const first = await gateway.call({ path, headers: { ...headers, 'accept-encoding': encoding } })
        assert.deepEqual([first.status, first.headers['content-encoding']], [200, encoding], path)
        assert.equal(first.headers['cache-control'], cache)
        assert.match(String(first.headers.vary), /Accept-Encoding/)
        const known = { ...headers, 'accept-encoding': encoding, 'if-none-match': String(first.headers.etag) }
        assert.equal((await gateway.call({ path, headers: known })).status, 304, path)
      }
    }
  })

  it('returns 404 for a page that does not exist', async () => {
    for (const path of ['/docs/nothing', '/docs/reference/nothing', '/docs/assets/docs-0.js', '/docs/__proto__'])
      assert.equal((await gateway.call({ path, headers })).status, 404, path)
  })

  it('has the colors of the dashboard', () => {
    const tokens = (path: string, prefix: string) => {
      const source = readFileSync(new URL(path, import.meta.url), 'utf8')
      return new Map(
        [...source.matchAll(new RegExp(`^ +--${prefix}([a-z-]+): (light-dark\\(#.*\\));`, 'gm'))].map(
          ([, name = '', value]) => [name, value],
        ),
      )
    }
    const dashboard = tokens('../../../dashboard/src/styles.css', 'color-')
    const own = tokens('browser/docs.css', '')
    assert.ok(own.size > 20)
    for (const [name, value] of own) assert.equal(value, dashboard.get(name), name)
  })
})

describe('search of the documentation', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway()
  })
  after(() => gateway[Symbol.asyncDispose]())

  const find = async (query: string) => {
    const { body } = await gateway.call({ path: `/docs/search?${new URLSearchParams({ q: query })}` })
    return body['results'] as { url: string; title: string; place: string; excerpt: string }[]
  }

  for (const [query, url] of [
    ['sendEmail', '/docs/reference/emails#sendEmail'],
    ['POST /emails/batch', '/docs/reference/emails#sendBatch'],
    ['idempotency', '/docs/idempotency'],
    ['idempotency_in_flight', '/problems/idempotency-in-flight'],
    ['rate limited', '/problems/rate-limited'],
    ['quickst', '/docs/quickstart'],
    ['verify webhook', '/docs/webhooks#verify'],
    ['scheduled_at', '/docs/reference/emails#sendEmail'],
    ['schedule cancel', '/docs/recipes#schedule-and-cancel'],
    ['Problem', '/docs/reference/objects#object-Problem'],
  ] as const)
    it(`finds ${query}`, async () => {
      const found = (await find(query)).map((result) => result.url)
      assert.ok(found.includes(url), found.join('\n'))
    })

  it('has the page with the very title first', async () => {
    assert.equal((await find('webhooks'))[0]?.url, '/docs/webhooks')
    assert.equal((await find('errors'))[0]?.url, '/docs/errors')
  })

  it('needs all words of the query', async () => {
    assert.ok((await find('webhook')).length > 0)
    assert.deepEqual(await find('webhook zebra'), [])
  })

  it('works without a script, and shows the query as text', async () => {
    const query = '<script>canary()</script>"'
    const {
      status,
      text,
      headers: answered,
    } = await gateway.call({
      path: `/docs/search?${new URLSearchParams({ q: query })}`,
      headers,
    })
    assert.equal(status, 200)
    assert.match(String(answered['content-security-policy']), /script-src 'self'/)
    assert.ok(
      !text.includes('canary()</script>') && text.includes('value="&lt;script&gt;canary()&lt;/script&gt;&quot;"'),
    )
    const found = await gateway.call({ path: '/docs/search?q=idempotency', headers })
    assert.match(found.text, /<a href="\/docs\/idempotency"><strong>Idempotency<\/strong>/)
    assert.match((await gateway.call({ path: '/docs/search', headers })).text, /Enter words/)
  })

  it('reads the beginning of a long query only', async () => {
    const { status, text } = await gateway.call({ path: `/docs/search?q=${'a+'.repeat(3_000)}`, headers })
    assert.equal(status, 200)
    assert.ok(text.length < 100_000)
    for (const query of ['%', '%ff', 'q=%00', '"', '((((((', '\\']) {
      const response = await gateway.call({ path: `/docs/search?q=${query}` })
      assert.equal(response.status, 200, query)
    }
  })
})
