import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { until } from '../../../test/support/until.ts'
import { testGateway } from '../testGateway.ts'
import { parserStops } from './parserStops.ts'

describe('stops of the parser', () => {
  it('are possible with the running version of Node, without a warning', async () => {
    await using gateway = await testGateway({})
    const socket = connect({ port: gateway.port, host: '127.0.0.1' })
    let responses = 0
    socket.setEncoding('latin1').on('data', (text: string) => {
      responses += text.split('HTTP/1.1 200').length - 1
    })
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50))
    await until('all are answered', () => responses === 50 || undefined)
    socket.destroy()
    assert.deepEqual(
      gateway.lines.filter(({ message }) => String(message).includes('patch')),
      [],
    )
  })

  for (const [what, socket] of [
    ['without parser', {}],
    ['whose parser has other methods', { parser: { onIncoming: 1 } }],
  ] as const)
    it(`are missed with one warning by a connection ${what}`, () => {
      const warnings: unknown[][] = []
      const { watch, continueResponses } = parserStops({ warn: (...line) => void warnings.push(line) })
      for (let n = 0; n < 2; n++) watch(socket as unknown as Socket, () => assert.fail('asked'))
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
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
    const { [`node-linux-${process.arch}`]: pinned = checkedVersion } = manifest.optionalDependencies
    assert.equal(
      pinned,
      checkedVersion,
      `parserStops.ts was checked against ${checkedVersion}; review \`onIncoming\` in lib/_http_server.js before changing the version`,
    )
  })
})
