import type { Step } from '../deps.ts'
import { type Html, html, layout, sendMarkup } from './html.ts'

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
type Content = Record<string, { schema?: Schema }>
type Response = { description: string; headers?: Record<string, { description?: string }>; content?: Content }

type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security?: readonly Record<string, readonly string[]>[]
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

/** Returns the step of the page. It is rendered at the first request, and all responses share its bytes. */
export const referencePage = (read: () => Promise<Uint8Array>, publicUrl: string): Step => {
  let rendered: Promise<Buffer> | null = null
  const render = async (): Promise<Buffer> => {
    const document = JSON.parse(Buffer.from(await read()).toString()) as Document
    return Buffer.from(reference(document, publicUrl).markup)
  }
  return async function referenceStep(context) {
    rendered ??= render()
    sendMarkup(context, await rendered)
  }
}

/** Returns a text with `code` in backticks, the only Markdown in our descriptions. */
const inline = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`

const paragraphs = (text: string | undefined): Html =>
  html`${(text ?? '').split('\n\n').flatMap((part) => (part === '' ? [] : [html`<p>${inline(part)}</p>`]))}`

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
  return layout(
    'API reference',
    html`<h1>API reference</h1>
${paragraphs(document.info.description)}
<nav aria-label="Operations"><ul>
${sections.map(({ name, listed }) => html`<li>${name}<ul>${listed.map(contentsEntry)}</ul></li>`)}
<li><a href="#objects">Objects</a></li>
</ul></nav>
${sections.map(
  ({ name, listed }) => html`<h2>${name}</h2>
${listed.map((one) => operationSection(one, document, publicUrl))}`,
)}
<h2 id="objects">Objects</h2>
${schemas.map(
  ([name, schema]) => html`<h3 id="${anchor(name)}">${name}</h3>
${paragraphs(schema.description)}
${fieldsTable(schema)}`,
)}`,
  )
}

const anchor = (name: string): string => `object-${name}`

const contentsEntry = ({ method, path, operation }: Listed): Html =>
  html`<li><a href="#${operation.operationId}">${operation.summary}</a> <code class="soft">${method} ${path}</code></li>`

const operationSection = (listed: Listed, document: Document, publicUrl: string): Html => {
  const { method, path, operation } = listed
  const body = operation.requestBody?.content['application/json']?.schema
  return html`<section>
<h3 id="${operation.operationId}">${operation.summary}</h3>
<pre>${method} ${path}</pre>
${paragraphs(operation.description)}
<p class="soft">${accessText(operation)}</p>
${parametersTable(operation.parameters ?? [])}
${body === undefined ? '' : html`<h4>Body</h4>${fieldsTable(resolved(body, document))}`}
<h4>Example</h4>
<pre>${curl(listed, document, publicUrl)}</pre>
<h4>Responses</h4>
<dl>${Object.entries(operation.responses).map(responseEntry)}</dl>
</section>
`
}

const accessText = ({ security = [] }: Operation): string => {
  const scopes = security.flatMap(({ apiKey }) => apiKey ?? [])
  if (security.some(({ operatorToken }) => operatorToken)) return 'Access: the operator’s token.'
  if (scopes.length > 0) return `Access: an API key with the scope ${scopes.join(' or ')}, or a session.`
  return security.length > 0 ? 'Access: a session.' : 'Access: open to everyone.'
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

const fieldsTable = (schema: Schema): Html => {
  const fields = Object.entries(schema.properties ?? {})
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
  const all = values ?? items?.enum ?? []
  if (all.length === 0 || all.every((value) => description.includes(String(value)))) return html``
  return html` One of ${all.map((value, index) => html`${index === 0 ? '' : ', '}<code>${String(value)}</code>`)}.`
}

const responseEntry = ([status, { description, headers, content }]: [string, Response]): Html => {
  const schema = content?.['application/json']?.schema
  // Every refusal is a Problem; the introduction says so.
  const type = schema && Number(status) < 400 ? html` ${typeOf(schema)}.` : ''
  const named = Object.keys(headers ?? {})
  const withHeaders = named.length > 0 ? ` Headers: ${named.join(', ')}.` : ''
  return html`<dt>${status}</dt><dd>${inline(description)}${type}${withHeaders}</dd>
`
}

/** Returns an example value, from the examples of the fields that have one and of the required fields. */
const exampleOf = (schema: Schema, document: Document): unknown => {
  const { example, properties, required = [], items, enum: values, type, anyOf } = resolved(schema, document)
  if (example !== undefined) return example
  if (values) return values[0]
  if (anyOf?.[0]) return exampleOf(anyOf[0], document)
  if (properties) {
    const shown = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, document)]))
  }
  if (items) return [exampleOf(items, document)]
  const kind = [type].flat()[0]
  return kind === 'integer' || kind === 'number' ? 1 : kind === 'boolean' ? true : '…'
}

const curl = ({ method, path, operation }: Listed, document: Document, publicUrl: string): string => {
  const body = operation.requestBody?.content['application/json']?.schema
  const credential = operation.security?.some(({ apiKey }) => apiKey)
    ? 'YOUR_API_KEY'
    : operation.security?.some(({ operatorToken }) => operatorToken)
      ? 'OPERATOR_TOKEN'
      : null
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && body) ? '' : `-X ${method} `}${publicUrl}${path}`,
    ...(credential === null ? [] : [`-H 'Authorization: Bearer ${credential}'`]),
    ...(credential === null && (operation.security ?? []).length > 0
      ? ["-H 'Cookie: SESSION_COOKIE' -H 'X-CSRF-Token: TOKEN'"]
      : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(exampleOf(body, document))}'`] : []),
  ]
  return lines.join(' \\\n  ')
}
