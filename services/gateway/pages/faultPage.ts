import { type Fault, faultTitle } from '@postrider/kit/fault.ts'
import { problemType } from '../problemBody.ts'
import { type Html, html } from './html.ts'
import { layout } from './layout.ts'

/** A refusal for somebody with a browser. */
export const faultPage = (fault: Fault, requestId: string): Html =>
  layout(
    faultTitle(fault.code),
    html`<h1>${faultTitle(fault.code)}</h1>
<p>${fault.message}</p>
<p class="soft"><a href="${problemType(fault.code)}">About this error</a> · request ${requestId}</p>`,
  )
