import assert from 'node:assert/strict'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { contentOf, type StaticFile } from '../staticFile.ts'
import { type TestGateway, testGateway } from '../testGateway.ts'

const pieceBytes = 64 * 1_024

/** A runner that counts the steps for which responses wait. */
const countedSlices = (count: { steps: number }, inner = makeSlices()): Slices => ({
  ...inner,
  step: () => {
    count.steps++
    return inner.step()
  },
  of: (owner) => countedSlices(count, inner.of(owner)),
})

const file = (length: number): StaticFile => ({
  type: 'text/javascript',
  plain: contentOf(Buffer.alloc(length, 'x')),
  encoded: [],
})

describe('long responses', () => {
  const count = { steps: 0 }
  let gateway: TestGateway
  before(async () => {
    const others = new Map(
      [pieceBytes, pieceBytes + 1, 3 * pieceBytes].map((length) => [`assets/${length}.js`, file(length)]),
    )
    gateway = await testGateway({ slices: countedSlices(count), dashboard: { index: file(1), others } })
  })
  after(() => gateway?.[Symbol.asyncDispose]())
  beforeEach(() => {
    count.steps = 0
  })

  // Regression: a file was written in one step, as far as the kernel had room.
  it('are written in pieces, files too', async () => {
    for (const [length, steps] of [
      [pieceBytes, 0],
      [pieceBytes + 1, 2],
      [3 * pieceBytes, 3],
    ] as const) {
      count.steps = 0
      const { status, text, headers } = await gateway.call({ path: `/assets/${length}.js` })
      assert.deepEqual(
        [status, text.length, headers['content-length'], count.steps],
        [200, length, String(length), steps],
      )
    }
  })

  it('have the length for HEAD, and no pieces', async () => {
    const { headers, text } = await gateway.call({ method: 'HEAD', path: `/assets/${3 * pieceBytes}.js` })
    assert.deepEqual([headers['content-length'], text, count.steps], [String(3 * pieceBytes), '', 0])
  })
})

describe('OpenAPI document', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway()
  })
  after(() => gateway?.[Symbol.asyncDispose]())

  const read = async (headers: Record<string, string> = {}) => {
    const url = `http://127.0.0.1:${gateway.port}/api/v1/openapi.json`
    return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      request(url, { headers: { host: 'mail.example.com', ...headers }, agent: false }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        )
      })
        .on('error', reject)
        .end()
    })
  }

  it('is sent in the smallest form that the client accepts', async () => {
    const plain = await read()
    assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined])
    for (const [accepted, encoding, decompress] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await read({ 'accept-encoding': accepted })
      assert.deepEqual([headers['content-encoding'], headers['vary']], [encoding, 'Accept-Encoding'])
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.ok(bytes.length * 5 < plain.bytes.length, `${bytes.length} of ${plain.bytes.length} bytes`)
      assert.deepEqual(decompress(bytes), plain.bytes)
    }
  })

  it('is not sent again to a client that has it', async () => {
    for (const accepted of [{}, { 'accept-encoding': 'br' }]) {
      const { headers } = await read(accepted)
      const etag = String(headers['etag'])
      assert.match(etag, /^"[\w-]{22}"$/)
      assert.equal(headers['cache-control'], 'no-cache')
      const again = await read({ ...accepted, 'if-none-match': etag })
      assert.deepEqual([again.status, again.bytes.length, again.headers['etag']], [304, 0, etag])
      assert.equal((await read({ ...accepted, 'if-none-match': '"other"' })).status, 200)
    }
  })
})
