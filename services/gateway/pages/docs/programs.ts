import type { Language } from './code.ts'

/* A request as a program that can be run as it is, without a package. */

export type ExampleRequest = {
  method: string
  url: string
  headers: readonly [name: string, value: string][]
  /** JSON; undefined: none. */
  body: unknown
}

/** Quotes a text for a shell, which reads everything in single quotes as it is, except a single quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curl = ({ method, url, headers, body }: ExampleRequest): string => {
  const isDefault = method === 'GET' || (method === 'POST' && body !== undefined)
  return [
    `curl ${isDefault ? '' : `-X ${method} `}${/[?&{]/.test(url) ? quoted(url) : url}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

/** How a language writes values. */
type Dialect = {
  indent: string
  text(value: string): string
  name(value: string): string
  others: Record<string, string>
}

const scriptText = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const script: Dialect = {
  indent: '  ',
  text: scriptText,
  name: (value) => (/^[A-Za-z_]\w*$/.test(value) ? value : scriptText(value)),
  others: {},
}

const pythonDialect: Dialect = {
  indent: '    ',
  text: (value) => JSON.stringify(value),
  name: (value) => JSON.stringify(value),
  others: { true: 'True', false: 'False', null: 'None' },
}

/** Maximum number of characters of a list or an object on one line. */
const lineLength = 60

const literal = (value: unknown, dialect: Dialect, margin: string): string => {
  if (typeof value === 'string') return dialect.text(value)
  if (typeof value !== 'object' || value === null) return dialect.others[String(value)] ?? String(value)
  const inner = margin + dialect.indent
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => literal(one, dialect, inner))
    : Object.entries(value).map(([name, one]) => `${dialect.name(name)}: ${literal(one, dialect, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  const space = !isList && dialect === script ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length <= lineLength && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${margin}${close}`
}

const node = ({ method, url, headers, body }: ExampleRequest): string => {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0
      ? []
      : ['  headers: {', ...headers.map(([name, value]) => `    ${script.name(name)}: '${value}',`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, script, '  ')}),`]),
  ]
  const call =
    options.length === 0
      ? [`const response = await fetch('${url}')`]
      : [`const response = await fetch('${url}', {`, ...options, '})']
  return [...call, 'console.log(response.status, await response.text())'].join('\n')
}

const python = ({ method, url, headers, body }: ExampleRequest): string => {
  const options = [
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length === 0
      ? []
      : [
          '    headers={',
          ...headers.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
          '    },',
        ]),
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
  ]
  return [
    ...(body === undefined ? [] : ['import json']),
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
    '',
    ...(body === undefined ? [] : [`body = ${literal(body, pythonDialect, '')}`]),
    ...(options.length === 0
      ? [`request = Request("${url}")`]
      : ['request = Request(', `    "${url}",`, ...options, ')']),
    'try:',
    '    response = urlopen(request)',
    'except HTTPError as problem:',
    '    response = problem',
    'print(response.status, response.read().decode())',
  ].join('\n')
}

/** Returns the program in each language. */
export const programsOf = (request: ExampleRequest): Record<Language, string> => ({
  curl: curl(request),
  node: node(request),
  python: python(request),
})
