import { Fault, type FaultCode, faultCodes, faultTitle, httpStatus, problemType } from '@postrider/kit/fault.ts'
import { refusals } from '../../examples/refusals.ts'
import { problemBody } from '../../problem.ts'
import { html } from '../html.ts'
import { type Area, areaPath } from './apiDocument.ts'
import { codeBlock } from './code.ts'
import { explanations } from './explanations.ts'
import type { Page } from './layout.ts'
import { inline, type MarkdownOptions, plainText } from './markdown.ts'

/* The pages to which `type` of an error leads. */

const exampleOf = (code: FaultCode): string => {
  const { detail, errors = [] } = refusals[code]
  const body = problemBody(new Fault(code, detail, { problems: errors }), 'req_01jd7w3k5vf2ya4m9x0q8r6t1n')
  return JSON.stringify(body, null, 2)
}

/** Returns the page of each error: its meaning, what to do, an example, and the operations that return it. */
export const problemPages = (areas: readonly Area[], texts: MarkdownOptions): Page[] =>
  faultCodes.map((code) => {
    const { what, help } = explanations[code]
    const title = faultTitle(code)
    const status = String(httpStatus(code))
    const listed = areas.flatMap((area) =>
      area.listed
        .filter(({ operation }) => operation.responses[status]?.description.includes(`\`${code}\``))
        .map(({ operation }) => ({ area, operation })),
    )
    const operations =
      listed.length === 0
        ? ''
        : html`<details><summary>Operations that return this (${listed.length})</summary><ul>${listed.map(
            ({ area, operation }) =>
              html`<li><a href="${areaPath(area)}#${operation.operationId}">${operation.summary}</a></li>`,
          )}</ul></details>`
    const content = html`<p class="above"><a href="/docs/errors">Errors</a></p>
<h1>${title}</h1>
<p class="endpoint"><span class="status status-${status[0] ?? ''}">${status}</span> <code>${code}</code></p>
<p class="lead">${inline(what, texts)}</p>
<h2 id="what-to-do">What to do</h2>
<p>${inline(help, texts)}</p>
<h2 id="example">Example</h2>
${codeBlock(exampleOf(code), '', `Response ${status}`)}
${operations}`
    return { path: problemType(code), title, about: plainText(what), content }
  })
