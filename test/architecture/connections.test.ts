import assert from 'node:assert/strict'
import { sources, textOf } from './sources.ts'

/**
 * The only modules that open connections, each with the reason. What a user chose as a destination is reached through
 * `adapters/http` alone, which checks every address.
 */
const connecting: Readonly<Record<string, string>> = {
  'packages/adapters/dns/exchange.ts': 'queries to DNS servers: those of the operator, or public addresses',
  'packages/adapters/http/connection.ts': 'webhooks to URLs of customers, at checked addresses',
  'packages/adapters/smtp/connection.ts': 'mail to the route of the operator',
  'services/cli/api.ts': 'requests of the command line to the server of its user',
  'services/cli/forward.ts': 'events that the command line posts to a program of its user',
  'services/dashboard/src/first.ts': 'the first requests of the browser to the service that served the page',
  'services/dashboard/src/main.tsx': 'requests of the browser to the service that served the page',
}

/** Ways to open a connection with Node or undici, in a source text without comments and texts. */
const connectingCode = [
  /(?<![.\w])fetch\s*\(|\bglobalThis\s*(?:\.\s*fetch\b|\[)/,
  /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/,
  /\b(?:https?|http2|net|tls|dgram)\s*\.\s*(?:request|get|connect|createConnection|createSocket|Socket|Agent)\b/,
  /\bnew\s+(?:Socket|TLSSocket|Agent|ClientRequest)\b/,
]
const connectingImports: Readonly<Record<string, RegExp>> = {
  http: /\b(?:request|get|Agent|ClientRequest)\b/,
  https: /\b(?:request|get|Agent)\b/,
  http2: /\bconnect\b/,
  net: /\b(?:connect|createConnection|Socket|Stream)\b/,
  tls: /\b(?:connect|TLSSocket)\b/,
  dgram: /./,
  undici: /./,
  ...Object.fromEntries(['axios', 'got', 'ky', 'needle', 'node-fetch', 'superagent', 'ws'].map((name) => [name, /./])),
}

/** Returns whether a source opens connections: it imports what does, or uses what is there without an import. */
const isConnecting = (text: string): boolean => {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const executed = code.replaceAll(/^(?:import|export) type\s[^;'"]*?from '[^']+'/gm, '')
  const imports = executed.matchAll(
    /(?:import|export)\s([^;'"]*?)\sfrom\s+'(?:node:)?([\w/-]+)'|import\('(?:node:)?([\w/-]+)'\)/g,
  )
  for (const [, names = '', module = '', dynamic = ''] of imports) {
    if (dynamic in connectingImports) return true
    const values = names.replaceAll(/\btype\s+\w+/g, '')
    if (values.trim() !== '{ }' && connectingImports[module]?.test(values)) return true
  }
  const builtIns = executed.matchAll(/(?:(\{[^}]*\})\s*=\s*process\.)?getBuiltinModule\('(?:node:)?([\w/-]+)'\)/g)
  for (const [, names, module = ''] of builtIns) {
    if (module in connectingImports && (names === undefined || connectingImports[module]?.test(names))) return true
  }
  const withoutTexts = executed.replaceAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''")
  return connectingCode.some((pattern) => pattern.test(withoutTexts))
}

describe('connections of the product', () => {
  it('only the listed modules open connections', () => {
    const isProduct = (file: string): boolean => file !== 'services/gateway/testGateway.ts'
    const found = sources.filter((file) => isProduct(file) && !file.includes('/gen/') && isConnecting(textOf(file)))
    assert.deepEqual(found.toSorted(), Object.keys(connecting).toSorted())
  })

  for (const text of [
    "await fetch('https://example.com')",
    'globalThis.fetch(url)',
    "globalThis['fetch'](url)",
    "import http from 'node:http'\nhttp.request(url)",
    "import * as https from 'node:https'\nhttps.get(url)",
    "import { request } from 'node:https'",
    "import { type Server, get } from 'http'",
    "import { connect } from 'node:net'",
    "import { type Socket, createConnection as open } from 'node:net'",
    "import tls from 'node:tls'\ntls.connect({})",
    "import { connect } from 'node:http2'",
    "import { createSocket } from 'node:dgram'",
    "import { request } from 'undici'",
    "const { request } = await import('node:http')",
    "const undici = await import('undici')",
    "const { request } = process.getBuiltinModule('node:http')",
    "const http = process.getBuiltinModule('node:http')",
    'new WebSocket(url)',
  ])
    it(`the search for connections finds ${text.split('\n').at(-1)}`, () => assert.equal(isConnecting(text), true))

  for (const text of [
    "import { createServer, type Server } from 'node:http'",
    "const { createServer, Server } = process.getBuiltinModule('node:http')",
    "import { isIP } from 'node:net'",
    "import type { Socket } from 'node:net'",
    "import { type Socket } from 'node:net'",
    '// fetch(url)',
    "const sample = 'await fetch(url)'",
    'const sample = `await fetch(url)`',
    'records.fetch(id)',
  ])
    it(`the search for connections ignores ${text}`, () => assert.equal(isConnecting(text), false))
})
