import { asFault, Fault } from '@postrider/kit/fault.ts'
import type { Answer } from '@postrider/kit/route.ts'
import { checkBody, refusalOf } from '../checkBody.ts'
import type { Context, Step } from '../context.ts'
import type { RouteDeps } from '../deps.ts'
import { readIdempotencyKey } from '../idempotencyKey.ts'
import { fingerprint } from '../json/fingerprint.ts'
import { readQuery } from '../readQuery.ts'
import type { GatewayRoute } from '../route.ts'

/** Checks what was asked, does it, waits until what it wrote is kept, and answers. */
export const handle = (route: GatewayRoute, deps: RouteDeps): Step =>
  async function handle(context) {
    const request = await requestOf(route, context, deps)
    const answer = await settledAfter(deps, route, context, () => route.handle(request, deps))
    context.state.emailId = answer.about ?? null
    send(context, route.reply.status, answer)
  }

const requestOf = async (route: GatewayRoute, context: Context, deps: RouteDeps) => {
  const { state } = context
  const key = route.idempotent ? readIdempotencyKey(context.req) : null
  const params = idsOf(context)
  const query = route.query ? readQuery(route.query, context.querystring) : undefined
  const checked = checkBody(route, state.body)
  const request = {
    requestId: state.requestId,
    clientAddress: state.clientAddress,
    secure: state.secure,
    idempotency: key === null ? null : { key, fingerprint: fingerprint(state.body) },
    ...state.asker,
  }
  if (checked.ok) return { ...request, params, query, body: checked.body }
  const further = (await route.further?.(checked.raw, request, deps)) ?? []
  throw refusalOf([...checked.problems, ...further])
}

const idShape = /^[a-z0-9_]{1,64}$/

/** What can't be an id is one that nothing has, so it is answered like any other that nothing has. */
const idsOf = (context: Context): Record<string, string> => {
  const params = (context as Context & { params?: Record<string, string> }).params ?? {}
  return Object.fromEntries(Object.entries(params).map(([name, id]) => [name, idShape.test(id) ? id : '']))
}

/** Nothing leaves before what it tells of is kept: no answer, and no refusal, for it too may tell of a write. */
const settledAfter = async (
  { durable }: RouteDeps,
  route: GatewayRoute,
  context: Context,
  act: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    const answer = await act().catch(async (thrown: unknown) => {
      await durable.settled()
      throw thrown
    })
    // Another wait would be for the writes of others, such as the first attempt of the email just accepted.
    if (!answer.durable) await durable.settled()
    return answer
  } catch (thrown) {
    const fault = asFault(thrown)
    throw fault.code === 'unavailable' && route.idempotent ? inDoubt(fault, context) : fault
  }
}

/** A 503 may come after the email was kept: the caller must know what asking again would do. */
const inDoubt = (fault: Fault, context: Context): Fault => {
  const advice =
    context.req.headers['idempotency-key'] === undefined
      ? 'The message may have been accepted all the same: look it up before you send it again, and send an Idempotency-Key so that repeating is safe.'
      : 'Repeat the request with the same Idempotency-Key: the message is sent once.'
  return new Fault('unavailable', `${fault.message} ${advice}`, {
    problems: fault.problems,
    headers: fault.headers,
    ...(fault.retryAfterMs !== null && { retryAfterMs: fault.retryAfterMs }),
    cause: fault.cause ?? fault,
  })
}

const send = (context: Context, status: number, answer: Answer): void => {
  if (answer.headers) context.set(answer.headers)
  context.status = answer.status ?? status
  if ('empty' in answer) {
    context.body = null
    return
  }
  // The type goes first: without one Koa looks into the body for it.
  context.res.setHeader('Content-Type', 'bytes' in answer ? answer.type : 'application/json; charset=utf-8')
  if ('bytes' in answer) context.body = Buffer.from(answer.bytes)
  else context.body = 'jsonText' in answer ? answer.jsonText : JSON.stringify(answer.json)
}
