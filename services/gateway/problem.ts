import { type Fault, faultTitle, httpStatus, problemMembers, problemType } from '@postrider/kit/fault.ts'
import type { Context } from './deps.ts'
import { html, layout, sendPage } from './pages/html.ts'

/** Returns the body of an error: its members, and the id of the request. */
export const problemBody = (fault: Fault, requestId: string) => {
  const { errors, ...members } = problemMembers(fault)
  return { ...members, request_id: requestId, errors }
}

/** Whole seconds, at least one (RFC 9110 §10.2.3). An unavailable service is worth another try soon. */
const retryAfter = ({ code, retryAfterMs }: Fault): Record<string, string> => {
  const waitMs = retryAfterMs ?? (code === 'unavailable' ? 1_000 : null)
  return waitMs === null ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))) }
}

/** Sets the headers that belong to a refusal. */
export const setFaultHeaders = (context: Context, fault: Fault): void =>
  context.set({
    ...fault.headers,
    ...(fault.code === 'unauthenticated' && { 'WWW-Authenticate': 'Bearer' }),
    ...retryAfter(fault),
  })

/** Writes an error as the response: JSON for the API, a page for a browser elsewhere. */
export const sendFault = (context: Context, fault: Fault): void => {
  const { requestId } = context.state
  setFaultHeaders(context, fault)
  context.status = httpStatus(fault.code)
  const accepted = context.get('accept')
  if (!context.path.startsWith('/api') && accepted.includes('text/html')) {
    const title = faultTitle(fault.code)
    const content = html`<h1>${title}</h1>
<p>${fault.message}</p>
<p class="soft"><a href="${problemType(fault.code)}">About this error</a> · request ${requestId}</p>`
    sendPage(context, layout(title, content))
    return
  }
  context.body = JSON.stringify(problemBody(fault, requestId))
  const type = accepted.includes('application/problem+json') ? 'application/problem+json' : 'application/json'
  context.set('Content-Type', type)
}
