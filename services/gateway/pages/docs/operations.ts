import { faultCodes, faultTitle, problemType } from '@postrider/kit/fault.ts'
import { exampleQueries } from '../../examples/queries.ts'
import { type Html, html } from '../html.ts'
import { type Listed, type OpenapiDocument, type Operation, type Response, successOf } from './apiDocument.ts'
import { codeBlock, tabbedCode } from './code.ts'
import { fieldsTable, parametersTable, resolved, typeOf } from './fields.ts'
import { heading, inline, type MarkdownOptions, markdown } from './markdown.ts'
import { type ExampleRequest, programsOf } from './programs.ts'

/* The operations of the reference: request, responses, errors, and programs that send the examples. */

export type OperationsOptions = {
  document: OpenapiDocument
  publicUrl: string
  texts: MarkdownOptions
  /** Returns the path of an operation with ids of the examples. */
  pathOf(listed: Listed): string
}

const accessText = ({ security = [], 'x-access': access }: Operation): string => {
  const scopes = security.flatMap(({ apiKey }) => apiKey ?? [])
  if (security.some(({ operatorToken }) => operatorToken)) {
    return security.some(({ session }) => session)
      ? 'The operator’s token, or a session of a user who is an operator, opened with a code of the second factor.'
      : 'The operator’s token.'
  }
  const session = `a session with the role ${access?.roles.join(', ') ?? ''}`
  if (scopes.length > 0) {
    return `An API key with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}, or ${session}.`
  }
  return security.length > 0 ? `${session[0]?.toUpperCase()}${session.slice(1)}.` : 'Open to everyone.'
}

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

/** Returns the example requests as programs. The first one is open. */
const programs = (listed: Listed, { publicUrl, pathOf }: OperationsOptions): Html => {
  const { method, operation } = listed
  const given = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
  const query = exampleQueries[operation.operationId]
  const url = publicUrl + pathOf(listed) + (query === undefined ? '' : `?${query}`)
  const shown = (value: unknown): Html => {
    const request: ExampleRequest = { method, url, headers: headersFor(operation, method, value), body: value }
    return tabbedCode(programsOf(request))
  }
  const [first, ...others] = given
  return html`${shown(first?.value)}
${others.map(({ summary, value }) => html`<details><summary>${summary}</summary>${shown(value)}</details>\n`)}`
}

const replyExample = (operation: Operation): Html => {
  const success = successOf(operation)
  if (success?.example === undefined) return html``
  return codeBlock(JSON.stringify(success.example, null, 2), '', `Response ${success.status}`)
}

const faultsOf = ({ description }: Response) => faultCodes.filter((code) => description.includes(`\`${code}\``))

/** Headers of every response; the introduction describes them. */
const everywhere: ReadonlySet<string> = new Set(['X-Request-Id', 'RateLimit', 'RateLimit-Policy'])

const headersOf = ({ headers }: Response, texts: MarkdownOptions): Html => {
  const named = Object.entries(headers ?? {}).filter(([name]) => !everywhere.has(name))
  if (named.length === 0) return html``
  return html`<ul class="headers">${named.map(
    ([name, { description }]) => html`<li><code>${name}</code> ${inline(description ?? '', texts)}</li>`,
  )}</ul>`
}

const responseEntry = ([status, response]: [string, Response], texts: MarkdownOptions): Html => {
  const faults = Number(status) < 400 ? [] : faultsOf(response)
  const schema = response.content?.['application/json']?.schema
  const what =
    faults.length > 0
      ? html`${faults.map(
          (code) => html`<p><a href="${problemType(code)}"><code>${code}</code></a> ${faultTitle(code)}</p>`,
        )}`
      : html`<p>${inline(response.description, texts)}${schema === undefined ? '' : html` ${typeOf(schema)}.`}</p>`
  return html`<dt><span class="status status-${status[0] ?? ''}">${status}</span></dt><dd>${what}${headersOf(response, texts)}</dd>
`
}

/** Returns the section of an operation. */
export const operationSection = (listed: Listed, options: OperationsOptions): Html => {
  const { method, path, operation } = listed
  const { texts, document } = options
  const body = operation.requestBody?.content['application/json']
  const responses = Object.entries(operation.responses)
  const refusals = responses.filter(([status]) => Number(status) >= 400)
  return html`<section class="operation" aria-labelledby="${operation.operationId}">
<div class="text">
${heading(2, operation.summary, operation.operationId)}
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${markdown(operation.description ?? '', texts)}
<p class="access"><strong>Access</strong> ${inline(accessText(operation), texts)}</p>
${parametersTable(operation.parameters ?? [], texts)}
${body?.schema === undefined ? '' : html`<h3>Body</h3>${fieldsTable(resolved(body.schema, document), texts)}`}
<h3>Responses</h3>
<dl class="responses">${responses.filter(([status]) => Number(status) < 400).map((one) => responseEntry(one, texts))}</dl>
${refusals.length === 0 ? '' : html`<h3>Errors</h3><dl class="responses">${refusals.map((one) => responseEntry(one, texts))}</dl>`}
</div>
<div class="sample">
${programs(listed, options)}
${replyExample(operation)}
</div>
</section>
`
}
