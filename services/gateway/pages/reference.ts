import { faultCodes, faultTitle, httpStatus, problemType } from '@postrider/kit/fault.ts'
import type { Step } from '../deps.ts'
import type { DocumentBytes } from '../documents.ts'
import { examples } from '../examples/examples.ts'
import { type Html, html, layout, sendMarkup } from './html.ts'
import { heading, inline, markdown } from './markdown.ts'

/** `/docs`: the reference of the API as a page, from the same document as `/api/v1/openapi.json`. */

/** The parts of a JSON schema that the page shows. */
type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  example?: unknown
  enum?: readonly unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  additionalProperties?: boolean | Schema
  format?: string
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }
type Content = Record<string, Media>
type Headers = Record<string, { description?: string }>
type Response = { description: string; headers?: Headers; content?: Content }

type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security?: readonly Record<string, readonly string[]>[]
  'x-access'?: { roles: readonly string[] }
  parameters?: readonly Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}

type Document = {
  info: { description?: string }
  tags: readonly { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Returns the page as HTML. @param openapi the OpenAPI document as JSON */
export const referencePage = (openapi: string, publicUrl: string): string =>
  reference(JSON.parse(openapi) as Document, publicUrl).markup

/** Returns the step of the page. All responses share its bytes. */
export const referenceStep = (read: () => Promise<DocumentBytes>): Step =>
  async function referenceStep(context) {
    const { reference } = await read()
    sendMarkup(context, Buffer.from(reference.buffer, reference.byteOffset, reference.byteLength))
  }

const paragraphs = (text: string | undefined): Html => markdown(text ?? '')

type Listed = { method: string; path: string; operation: Operation }

const reference = (document: Document, publicUrl: string): Html => {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method: method.toUpperCase(), path, operation })),
  )
  const sections = document.tags.map(({ name }) => ({
    name,
    listed: all.filter((one) => one.operation.tags[0] === name),
  }))
  const schemas = Object.entries(document.components.schemas)
  const content = html`<div class="reference">
<nav aria-label="Contents" class="contents" tabindex="0"><ul>
<li><a href="#start">Start</a></li>
${guides.map(({ title, id }) => html`<li><a href="#${id}">${title}</a></li>`)}
<li><a href="/docs/recipes">Recipes</a></li>
${sections.map(({ name, listed }) => html`<li>${name}<ul>${listed.map(contentsEntry)}</ul></li>`)}
<li><a href="#objects">Objects</a><ul>${schemas.map(
    ([name]) => html`<li><a href="#${anchor(name)}">${name}</a></li>`,
  )}</ul></li>
</ul></nav>
<div>
<h1 id="start">API reference</h1>
${paragraphs(document.info.description)}
<p><a href="/docs/recipes">Recipes</a> show frequent tasks; <a href="/api/v1/openapi.json">openapi.json</a> is this page for programs.</p>
${guides.map(({ title, id, text }) => html`${heading(2, title, id)}\n${markdown(text)}`)}
${errorsTable}
${sections.map(
  ({ name, listed }) => html`${heading(2, name)}
${listed.map((one) => operationSection(one, document, publicUrl))}`,
)}
${heading(2, 'Objects', 'objects')}
${schemas.map(
  ([name, schema]) => html`${heading(3, name, anchor(name))}
${paragraphs(schema.description)}
${fieldsTable(schema)}`,
)}
</div></div>`
  return layout('API reference', content, style)
}

const style = html`<style>
  body { max-width: 80rem; }
  .reference { display: grid; gap: 2rem; }
  .reference > * { min-width: 0; }
  .contents { max-height: 14rem; overflow-y: auto; border-bottom: 1px solid var(--line); }
  .contents ul { list-style: none; padding-left: 0.75rem; margin: 0.15rem 0 0.5rem; }
  .contents > ul { padding: 0; }
  .contents a { display: block; padding: 0.1rem 0; text-decoration: none; }
  .contents a:hover { text-decoration: underline; }
  h2[id], h3[id] { scroll-margin-top: 1rem; }
  section { border-top: 1px solid var(--line); padding-top: 0.25rem; margin-top: 1.5rem; }
  pre { white-space: pre; overflow-wrap: normal; }
  summary { cursor: pointer; padding: 0.4rem 0; color: var(--soft); font-size: 0.9rem; }
  @media (min-width: 64rem) {
    .reference { grid-template-columns: 16rem 1fr; }
    .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; border: 0; padding: 1rem 0; }
  }
</style>`

/** What holds for every operation. */
const guides: readonly { title: string; id: string; text: string }[] = [
  {
    title: 'Authentication',
    id: 'authentication',
    text: `Send \`Authorization: Bearer\` and an API key. Keys begin with \`pr_live_\` or \`pr_test_\`; mail of a test key never leaves the service. A logged-in user makes keys ([createApiKey](#createApiKey)). Basic authentication, other headers and keys in the URL are not read.

A session's cookie works too. Changes by session need the header \`X-CSRF-Token\`.`,
  },
  {
    title: 'Repeating requests',
    id: 'repeating',
    text: `With an \`Idempotency-Key\` of your choice, a repeated send has the effect of one: it gets the first response again, with the header \`Idempotent-Replayed: true\`. Repeat after a timeout, a 429, a 503 or \`idempotency_in_flight\`, when the seconds in \`Retry-After\` have passed.`,
  },
  {
    title: 'Limits',
    id: 'limits',
    text: `Every counted response has \`RateLimit\` (what is left) and \`RateLimit-Policy\` (the limits). Responses to a send have \`Quota-Limit\`, \`Quota-Remaining\` and \`Quota-Reset\`, in sends and seconds.`,
  },
  {
    title: 'Lists',
    id: 'lists',
    text: 'Lists are newest first. Send the `next_cursor` of a page as `cursor` for the next one, with the same filters, while `has_more` is true. `limit` is 1 to 100.',
  },
  {
    title: 'Fields',
    id: 'fields',
    text: 'Fields without “required” are optional; `null` counts as absent there. Unknown fields are refused. Responses may get more fields at any time.',
  },
  {
    title: 'Errors',
    id: 'errors',
    text: `Every response that is not 2xx is a [Problem](#object-Problem). \`code\` never changes, \`detail\` says what to do, and \`errors\` names every single problem with its place. Quote \`request_id\` when you report one.`,
  },
]

const errorsTable = html`<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>
${faultCodes.map(
  (code) =>
    html`<tr><td>${httpStatus(code)}</td><td><a href="${problemType(code)}"><code>${code}</code></a></td><td>${faultTitle(code)}</td></tr>\n`,
)}</tbody></table>`

const anchor = (name: string): string => `object-${name}`

const contentsEntry = ({ operation }: Listed): Html =>
  html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`

const operationSection = (listed: Listed, document: Document, publicUrl: string): Html => {
  const { method, path, operation } = listed
  const body = operation.requestBody?.content['application/json']
  return html`<section>
${heading(3, operation.summary, operation.operationId)}
<pre tabindex="0">${method} ${path}</pre>
${paragraphs(operation.description)}
<p class="soft">${accessText(operation)}</p>
${parametersTable(operation.parameters ?? [])}
${body?.schema === undefined ? '' : html`<h4>Body</h4>${fieldsTable(resolved(body.schema, document))}`}
<h4>Example</h4>
${commands(listed, publicUrl)}
${replyExample(operation)}
<h4>Responses</h4>
<dl>${Object.entries(operation.responses).map(responseEntry)}</dl>
</section>
`
}

/** Returns the example requests as commands for curl and for Node; the first one for curl is open. */
const commands = ({ method, path, operation }: Listed, publicUrl: string): Html => {
  const given = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
  const url =
    publicUrl + path + (examples[operation.operationId]?.query ? `?${examples[operation.operationId]?.query}` : '')
  const all = given.length > 0 ? given : [{ summary: '', value: undefined }]
  return html`${all.map(({ summary, value }, index) => {
    const request: Request = { method, url, headers: headersFor(operation, method, value), body: value }
    const label = summary === '' ? '' : ` · ${summary}`
    return html`<details${index === 0 ? html` open` : ''}><summary>curl${label}</summary><pre tabindex="0">${curl(request)}</pre></details>
<details><summary>Node${label}</summary><pre tabindex="0">${node(request)}</pre></details>
`
  })}`
}

const replyExample = ({ responses }: Operation): Html => {
  const [status = '', success] = Object.entries(responses).find(([code]) => code < '300') ?? []
  const example = success?.content?.['application/json']?.example
  if (example === undefined) return html``
  return html`<details><summary>Response ${status}</summary><pre tabindex="0">${JSON.stringify(example, null, 2)}</pre></details>`
}

const accessText = ({ security = [], 'x-access': access }: Operation): string => {
  const scopes = security.flatMap(({ apiKey }) => apiKey ?? [])
  if (security.some(({ operatorToken }) => operatorToken)) return 'Access: the operator’s token.'
  const session = `a session with the role ${access?.roles.join(', ') ?? ''}`
  if (scopes.length > 0) return `Access: an API key with the scope ${scopes.join(' or ')}, or ${session}.`
  return security.length > 0 ? `Access: ${session}.` : 'Access: open to everyone.'
}

const parametersTable = (parameters: readonly Parameter[]): Html => {
  if (parameters.length === 0) return html``
  return html`<h4>Parameters</h4>
<table><thead><tr><th>Name</th><th>In</th><th>Meaning</th></tr></thead><tbody>
${parameters.map(
  ({ name, in: place, description, schema = {} }) =>
    html`<tr><td><code>${name}</code></td><td>${place}</td><td>${inline(description ?? '')}${valuesOf(schema)}</td></tr>
`,
)}</tbody></table>`
}

/** In a request every optional field may be null, so only the tables of responses show it. */
const withoutNull = (schema: Schema): Schema => {
  const type = [schema.type ?? []].flat().filter((one) => one !== 'null')
  return {
    ...schema,
    ...(schema.type !== undefined && { type: type.length === 0 ? 'null' : type }),
    ...(schema.anyOf && { anyOf: schema.anyOf.filter((one) => one.type !== 'null') }),
  }
}

const fieldsTable = (schema: Schema): Html => {
  const isRequest = schema.additionalProperties === false
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): [string, Schema] => [
    name,
    isRequest ? withoutNull(field) : field,
  ])
  if (fields.length === 0) return html``
  return html`<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${fields.map(([name, field]) => {
  const isRequired = schema.required?.includes(name)
  return html`<tr><td><code>${name}</code>${isRequired ? html` <span class="soft">required</span>` : ''}</td>
<td>${typeOf(field)}</td><td>${inline(field.description ?? '')}${valuesOf(field)}</td></tr>
`
})}</tbody></table>`
}

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

const resolved = (schema: Schema, { components }: Document): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[refName(schema.$ref)] ?? schema)

const typeOf = ({ $ref, type, items, anyOf, format }: Schema): Html => {
  if ($ref !== undefined) return html`<a href="#${anchor(refName($ref))}">${refName($ref)}</a>`
  if (anyOf) return html`${anyOf.map((one, index) => (index === 0 ? typeOf(one) : html` or ${typeOf(one)}`))}`
  const names = [type ?? 'any'].flat().join(' or ')
  if (items) return html`${names} of ${typeOf(items)}`
  return html`${format ?? names}`
}

/** Lists the values of a field that has few. The description of some fields already lists them. */
const valuesOf = ({ enum: values, items, description = '' }: Schema): Html => {
  const all = (values ?? items?.enum ?? []).filter((value) => value !== null)
  if (all.length === 0 || all.every((value) => description.includes(String(value)))) return html``
  return html` One of ${all.map((value, index) => html`${index === 0 ? '' : ', '}<code>${String(value)}</code>`)}.`
}

const responseEntry = ([status, { description, headers, content }]: [string, Response]): Html => {
  const schema = content?.['application/json']?.schema
  // Every refusal is a Problem; the introduction says so.
  const type = schema && Number(status) < 400 ? html` ${typeOf(schema)}.` : ''
  // The introduction describes those of every response.
  const named = Object.entries(headers ?? {}).filter(([name]) => !everywhere.has(name))
  const list = named.map(([name, header]) => html`<br><code>${name}</code> ${inline(header.description ?? '')}`)
  return html`<dt>${status}</dt><dd>${inline(description)}${type}<span class="soft">${list}</span></dd>
`
}

const everywhere: ReadonlySet<string> = new Set(['X-Request-Id', 'RateLimit', 'RateLimit-Policy'])

type Request = { method: string; url: string; headers: readonly [name: string, value: string][]; body: unknown }

const headersFor = ({ security = [] }: Operation, method: string, body: unknown): [string, string][] => {
  const credential = security.some(({ apiKey }) => apiKey)
    ? 'YOUR_API_KEY'
    : security.some(({ operatorToken }) => operatorToken)
      ? 'OPERATOR_TOKEN'
      : null
  const isSession = credential === null && security.length > 0
  return [
    ...(credential === null ? [] : [['Authorization', `Bearer ${credential}`] as [string, string]]),
    ...(isSession ? [['Cookie', 'SESSION_COOKIE'] as [string, string]] : []),
    ...(isSession && method !== 'GET' ? [['X-CSRF-Token', 'TOKEN'] as [string, string]] : []),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
  ]
}

/** In single quotes a shell reads everything as it is, except a single quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curl = ({ method, url, headers, body }: Request): string => {
  const isDefault = method === 'GET' || (method === 'POST' && body !== undefined)
  return [
    `curl ${isDefault ? '' : `-X ${method} `}${/[?&{]/.test(url) ? quoted(url) : url}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

const node = ({ method, url, headers, body }: Request): string =>
  [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0
      ? []
      : ['  headers: {', ...headers.map(([name, value]) => `    '${name}': '${value}',`), '  },']),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
    '})',
    'console.log(response.status, await response.text())',
  ].join('\n')
