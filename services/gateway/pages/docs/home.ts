import { html } from '../html.ts'
import { type Area, areaPath, type OpenapiDocument, objectAnchor, objectsPath } from './apiDocument.ts'
import { guideGroups, guidePath } from './guides.ts'
import type { Page } from './layout.ts'
import { heading, type MarkdownOptions, markdown } from './markdown.ts'

/** Rules for every operation. Their ids were those of the page when it contained the whole reference. */
const basics: readonly { title: string; id: string; text: string }[] = [
  {
    title: 'Authentication',
    id: 'authentication',
    text: `Send \`Authorization: Bearer\` and an API key. Keys begin with \`pr_live_\` or \`pr_test_\`; mail of a test key never leaves the service. A logged-in user makes keys (\`POST /api-keys\`). Basic authentication, other headers and keys in the URL are not read.

A session's cookie works too. Changes by session need the header \`X-CSRF-Token\`.`,
  },
  {
    title: 'Repeating requests',
    id: 'repeating',
    text: `With an \`Idempotency-Key\` of your choice, a repeated send has the effect of one: it gets the first response again, with the header \`Idempotent-Replayed: true\`. Repeat after a timeout, a 429, a 503 or \`idempotency_in_flight\`, when the seconds in \`Retry-After\` have passed. [Idempotency](/docs/idempotency) has a program.`,
  },
  {
    title: 'Limits',
    id: 'limits',
    text: `Every counted response has \`RateLimit\` (what is left) and \`RateLimit-Policy\` (the limits). Responses to a send have \`Quota-Limit\`, \`Quota-Remaining\` and \`Quota-Reset\`, in sends and seconds. [Quotas and limits](/docs/quotas) explains them.`,
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
    text: `Every response with a status of 400 or more is a [Problem](${objectsPath}#${objectAnchor('Problem')}). \`code\` never changes, \`detail\` states what to do, and \`errors\` names every single problem with its path. Quote \`request_id\` when you report one. [Errors](/docs/errors) lists all codes.`,
  },
]

/** Returns the first page: the guides, the rules for every operation, and all operations and objects. */
export const homePage = (document: OpenapiDocument, areas: readonly Area[], texts: MarkdownOptions): Page => {
  const contents = [
    ...basics.map(({ title, id }) => ({ level: 2 as const, title, id })),
    { level: 2 as const, title: 'Operations', id: 'operations' },
    { level: 2 as const, title: 'Objects', id: 'objects' },
  ]
  const content = html`<h1 id="start">Documentation</h1>
<p class="lead">An email sending service: it accepts a message over HTTP, stores it and delivers it. Begin with the
<a href="/docs/quickstart">quickstart</a>; the reference has every operation with its request, responses and errors.</p>
<div class="cards">${guideGroups.flatMap(({ guides }) =>
    guides.map(
      (guide) =>
        html`<a class="card" href="${guidePath(guide)}"><strong>${guide.label}</strong><span>${guide.about}</span></a>\n`,
    ),
  )}</div>
<h2 id="api-reference">API reference</h2>
${markdown(document.info.description ?? '', texts)}
<p><a href="/api/v1/openapi.json">openapi.json</a> has the reference for programs.</p>
${basics.map(({ title, id, text }) => html`${heading(3, title, id)}\n${markdown(text, texts)}`)}
${heading(2, 'Operations', 'operations')}
${areas.map(
  (area) => html`<h3><a href="${areaPath(area)}">${area.name}</a></h3>
<ul class="operations">${area.listed.map(
    ({ method, path, operation }) =>
      // The whole reference was one page, whose fragments were these ids.
      html`<li id="${operation.operationId}"><a href="${areaPath(area)}#${operation.operationId}"><span>${operation.summary}</span> <code><b>${method}</b> ${path}</code></a></li>\n`,
  )}</ul>
`,
)}
${heading(2, 'Objects', 'objects')}
<ul class="objects">${Object.keys(document.components.schemas).map(
    (name) => html`<li id="${objectAnchor(name)}"><a href="${objectsPath}#${objectAnchor(name)}">${name}</a></li>\n`,
  )}</ul>`
  return {
    path: '/docs',
    title: 'Documentation',
    about: 'Guides and API reference of Postrider, an email sending service.',
    content,
    contents,
  }
}
