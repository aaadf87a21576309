import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { until } from '../../test/support/until.ts'
import { parserStops } from './parserStops.ts'

describe('stops of the parser', () => {
  it('are possible with the running version of Node, without a warning', async () => {
    const { watch } = parserStops({ warn: () => assert.fail('a warning') })
    const urls: (string | undefined)[] = []
    const server = createServer((request, response) => {
      urls.push(request.url)
      response.end()
    })
    let left = 3
    server.on('connection', (socket) => watch(socket, () => (left-- > 0 ? 'begin' : 'drop')))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    let responses = 0
    socket.setEncoding('latin1').on('data', (text: string) => {
      responses += text.split('HTTP/1.1 200').length - 1
    })
    const paths = Array.from({ length: 50 }, (_, number) => `/${number}`)
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    await until('those before the stop are answered', () => responses === 3 || undefined)
    assert.deepEqual([urls, left], [['/0', '/1', '/2'], -1])
    socket.destroy()
    server.close()
  })

  for (const [what, socket] of [
    ['without parser', {}],
    ['whose parser has other methods', { parser: { onIncoming: 1 } }],
  ] as const)
    it(`are missed with one warning by a connection ${what}`, () => {
      const warnings: unknown[][] = []
      const { watch, continueResponses } = parserStops({ warn: (...line) => void warnings.push(line) })
      for (let n = 0; n < 2; n++) watch(socket as unknown as Socket, () => assert.fail('called'))
      continueResponses(socket as unknown as Socket)()
      assert.deepEqual(warnings, [
        [
          { library: 'node:http', reason: 'a parser has no method onIncoming' },
          'patch does not fit this version, running unpatched',
        ],
      ])
    })

  it('were checked against the pinned version', () => {
    const checkedVersion = '24.21.0'
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    const { [`node-linux-${process.arch}`]: pinned = checkedVersion } = manifest.optionalDependencies
    assert.equal(
      pinned,
      checkedVersion,
      `parserStops.ts was checked against ${checkedVersion}; review \`onIncoming\` in lib/_http_server.js before changing the version`,
    )
  })
})
