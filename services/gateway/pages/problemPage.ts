import { Fault, faultCodes, faultTitle, httpStatus } from '@postrider/kit/fault.ts'
import type { Step } from '../context.ts'
import { problemType } from '../problemBody.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import { problemTexts } from './problemTexts.ts'
import { sendPage } from './sendPage.ts'

/** `/problems/<code-with-dashes>`: what an error means, as a page or as JSON. */
export const problemPage: Step = (context) => {
  const code = faultCodes.find((one) => problemType(one) === context.path)
  if (!code) throw new Fault('not_found', 'There is no error of this name.')
  const { what, help } = problemTexts[code]
  const title = faultTitle(code)
  if (!context.get('accept').includes('text/html')) {
    context.body = JSON.stringify({ type: problemType(code), title, status: httpStatus(code), code, what, help })
    context.set('Content-Type', 'application/json; charset=utf-8')
    return
  }
  const content = html`<h1>${title}</h1>
<p class="soft">${httpStatus(code)} · <code>${code}</code></p>
<p>${what}</p>
<p>${help}</p>`
  sendPage(context, layout(title, content))
}
