import { type Fault, httpStatus } from '@postrider/kit/fault.ts'
import type { Context } from './context.ts'
import { faultPage } from './pages/faultPage.ts'
import { sendPage } from './pages/sendPage.ts'
import { problemBody, problemHeaders } from './problemBody.ts'

/** The one shape of an error, as whoever asked reads it. */
export const answerFault = (context: Context, fault: Fault): void => {
  context.set(problemHeaders(fault))
  context.status = httpStatus(fault.code)
  if (wantsPage(context)) {
    sendPage(context, faultPage(fault, context.state.requestId))
    return
  }
  const problemJson = context.get('accept').includes('application/problem+json')
  context.body = JSON.stringify(problemBody(fault, context.state.requestId))
  context.set('Content-Type', problemJson ? 'application/problem+json' : 'application/json')
}

/** The API answers JSON to everybody; beside it a browser gets something to read. */
const wantsPage = (context: Context): boolean =>
  !context.path.startsWith('/api') && context.get('accept').includes('text/html')
