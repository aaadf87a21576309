import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type TestGateway, testGateway } from '../testGateway.ts'
import { readDashboard } from './dashboardFiles.ts'

const script = 'console.log("dashboard")'.repeat(20)
const markup = '<!doctype html><div id="root"></div><script type="module" src="/assets/index-1a2b.js"></script>'
const page = { accept: 'text/html' }

describe('dashboard pages', () => {
  let folder = ''
  let gateway: TestGateway

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-dashboard-'))
    await mkdir(join(folder, 'assets'))
    const files: [string, string | Buffer][] = [
      ['index.html', markup],
      ['index.html.br', brotliCompressSync(markup)],
      ['favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['notes', 'no type'],
      ['assets/index-1a2b.js', script],
      ['assets/index-1a2b.js.br', brotliCompressSync(script)],
      ['assets/index-1a2b.js.gz', gzipSync(script)],
      ['assets/index-1a2b.js.map', '{}'],
      ['assets/index-3c4d.css', 'p{}'],
    ]
    for (const [name, content] of files) await writeFile(join(folder, name), content)
    gateway = await testGateway({ dashboard: await readDashboard(folder) })
  })

  after(async () => {
    await gateway?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it('serve the HTML file at / and the paths of their own routes', async () => {
    for (const path of ['/', '/emails', '/emails/em_1', '/settings/members', '/login?next=%2Femails']) {
      const { status, text, headers } = await gateway.call({ path, headers: page })
      assert.deepEqual([path, status, text], [path, 200, markup])
      assert.match(headers['content-type'] ?? '', /^text\/html/)
    }
    assert.equal((await gateway.call({ path: '/' })).text, markup)
  })

  it('allow no inline script or style, no other host, no framing and no sniffing', async () => {
    for (const path of ['/', '/emails']) {
      const { headers } = await gateway.call({ path, headers: page })
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/)
      assert.match(policy, /frame-ancestors 'none'; base-uri 'none'; form-action 'self'$/)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
      assert.deepEqual(
        [
          headers['x-content-type-options'],
          headers['referrer-policy'],
          headers['cross-origin-opener-policy'],
          headers['cross-origin-resource-policy'],
        ],
        ['nosniff', 'no-referrer', 'same-origin', 'same-origin'],
      )
      assert.match(String(headers['permissions-policy']), /camera=\(\)/)
    }
  })

  it('do not replace the responses of the API, of other pages and of files', async () => {
    for (const path of [
      '/api/v1/nothing',
      '/api/v2/emails',
      '/docs/nothing',
      '/problems/nothing',
      '/u/token',
      '/a.php',
    ])
      assert.equal((await gateway.call({ path, headers: page })).status, 404, path)
    assert.match((await gateway.call({ path: '/docs', headers: page })).text, /<h1 id="start">Documentation<\/h1>/)
    assert.equal((await gateway.call({ path: '/livez', headers: page })).text, '{"status":"ok"}')
    assert.equal((await gateway.call({ path: '/mailbox', headers: page })).status, 403)
  })

  it('return an error to a program on an unknown path, and for other methods', async () => {
    const { status, body } = await gateway.call({ path: '/emails', headers: { accept: 'application/json' } })
    assert.deepEqual([status, body.code], [404, 'not_found'])
    assert.match(body.detail ?? '', /Did you mean/)
    assert.equal((await gateway.call({ path: '/emails', method: 'POST', headers: page })).status, 404)
    assert.equal((await gateway.call({ path: '/', method: 'POST', headers: page })).status, 405)
    assert.equal((await gateway.call({ path: '/assets/index-1a2b.js', method: 'DELETE' })).status, 405)
  })

  it('send hashed files for a year in the smallest encoding that the client accepts', async () => {
    const path = '/assets/index-1a2b.js'
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { status, headers } = await gateway.call({ path, method: 'HEAD', headers: { 'accept-encoding': accepted } })
      assert.deepEqual([status, headers['content-encoding']], [200, encoding], accepted)
      assert.match(headers['vary'] ?? '', /Accept-Encoding/)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.match(headers['content-type'] ?? '', /^text\/javascript/)
    }
    const body = async (encoding: string) => {
      const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
        headers: { 'accept-encoding': encoding },
      })
      return response.text()
    }
    assert.deepEqual([await body('br'), await body('gzip'), await body('identity')], [script, script, script])
  })

  it('return 304 to a browser that has the HTML file, per encoding', async () => {
    const etagOf = async (headers: Record<string, string>) =>
      String((await gateway.call({ path: '/', headers })).headers.etag)
    const [plain, br] = [await etagOf({}), await etagOf({ 'accept-encoding': 'br' })]
    assert.notEqual(plain, br)
    const again = await gateway.call({ path: '/emails', headers: { ...page, 'if-none-match': plain } })
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', plain])
    assert.equal(again.headers['cache-control'], 'no-cache')
    assert.match(String(again.headers['content-security-policy']), /script-src 'self'/)
    const other = await gateway.call({ path: '/', headers: { 'if-none-match': plain, 'accept-encoding': 'br' } })
    assert.equal(other.status, 200)
  })

  it('serve no file outside the list: no other folder, no source map, no unknown type', async () => {
    for (const path of [
      '/assets/index-1a2b.js.map',
      '/assets/index-1a2b.js.br',
      '/notes.txt',
      '/assets/../index.html',
      '/assets/..%2findex.html',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..\\..\\package.json',
      '/../package.json',
      '/%2e%2e/package.json',
      '/index.html',
      '/assets/',
      '/assets',
      '//assets/index-1a2b.js',
      '/assets/index-1a2b.js%00',
    ])
      assert.equal((await gateway.call({ path })).status, 404, path)
    const icon = await gateway.call({ path: '/favicon.svg' })
    assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/svg+xml'])
  })

  it('are replaced by a page with the command that builds them if they are not built', async () => {
    assert.equal(await readDashboard(join(folder, 'missing')), null)
    assert.equal(await readDashboard(join(folder, 'assets')), null)
    await using without = await testGateway()
    const { status, text } = await without.call({ path: '/', headers: page })
    assert.equal(status, 200)
    assert.match(text, /<code>npm run build:dashboard<\/code>/)
    assert.equal((await without.call({ path: '/emails', headers: page })).status, 404)
    assert.equal((await without.call({ path: '/assets/index-1a2b.js' })).status, 404)
  })
})
