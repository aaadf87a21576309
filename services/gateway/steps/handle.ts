import { type Idempotency, responseMs } from '@postrider/contracts/services.ts'
import { isAlias } from '@postrider/domain/templates/alias.ts'
import { withDeadline } from '@postrider/kit/deadline.ts'
import { asFault, Fault, type Problem } from '@postrider/kit/fault.ts'
import { bufferOf } from '@postrider/mail/bytes.ts'
import { operatorOwner } from '../bodies/memory.ts'
import { bodyFault, type CheckedBody, checkBody, readQuery } from '../checks/checkRequest.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { hasLongText, isList, isLongText, jsonSteps } from '../json/jsonSteps.ts'
import { utf8Steps } from '../json/utf8Steps.ts'
import { idOrEmpty, type Route, type RouteResponse } from '../route.ts'
import { fingerprints, fingerprintsSteps, readIdempotencyKey, refuseIdempotencyKey } from '../sending/idempotency.ts'
import { compared, sendFile } from '../staticFile.ts'
import { disconnection } from './disconnection.ts'
import { isLongResponse } from './longResponses.ts'
import { refuseValidation } from './readBatch.ts'
import { takeResponseMemory } from './responseMemory.ts'
import { slicesFor } from './scheduleRequests.ts'

/** After an authentication that took no longer, calls have the deadlines of their methods. */
const usualMs = 1_000

/** Checks the request, calls the handler, waits until its writes are durable, and sends the response. */
export const handle = (route: Route, deps: RouteDeps): Step =>
  async function handle(context) {
    const { act } = await checkedRequest(route, context, deps)
    // Most responses are short; only routes whose responses may be long take memory before.
    const { responseBytes: expectedBytes, isResponseCostly: isCostly } = route
    using expected =
      expectedBytes === undefined ? null : await responseMemory(deps, context, { expectedBytes, isCostly })
    const response = await durableResponse(deps, route, context, () => inTime(deps, context, act))
    context.state.emailId = response.about ?? null
    send(context, route.reply.status, response, await longJson(deps, context, response))
    if ('file' in response || !isLongResponse(context)) return
    using memory = expected ?? (await responseMemory(deps, context, {}))
    await memory.send().catch((thrown: unknown) => {
      throw withAdvice(thrown, route, context)
    })
  }

/**
 * Returns the JSON of a response that may be long, in UTF-8, written in steps; null: it is short. A list is mostly
 * short.
 */
const longJson = (deps: RouteDeps, context: Context, response: RouteResponse): Promise<Buffer> | null => {
  const slices = slicesFor(deps, context)
  if ('jsonText' in response) return isLongText(response.jsonText) ? slices.run(utf8Steps([response.jsonText])) : null
  if (!('json' in response)) return null
  if (hasLongText(response.json)) return slices.run(jsonSteps(response.json))
  return isList(response.json) ? slices.begin(jsonSteps(response.json)) : null
}

type Expected = { expectedBytes?: number; isCostly?: boolean | undefined }

const responseMemory = (deps: RouteDeps, context: Context, { expectedBytes = 0, isCostly = false }: Expected) => {
  const owner = context.state.identity?.caller.workspace ?? operatorOwner
  return takeResponseMemory(context, {
    memory: deps.memory,
    slices: slicesFor(deps, context),
    owner,
    expectedBytes,
    isCostly,
  })
}

/** Returns the response to a request, after its checks. */
const checkedRequest = async (
  route: Route,
  context: Context,
  deps: RouteDeps,
): Promise<{ act: () => Promise<RouteResponse> }> => {
  const { state } = context
  const key = route.idempotent ? readIdempotencyKey(context.req) : null
  if (!mayHaveKey(route)) refuseIdempotencyKey(context.req)
  if (!route.isBatch) refuseValidation(context.req)
  const params = pathIds(context)
  const query = readQuery(route.query, context.querystring)
  const { body, isLong, checkedBody } = state
  const slices = slicesFor(deps, context)
  const checked = checkedBody
    ? { ok: true as const, body: checkedBody.body }
    : await slices.run(checkBody(route, body, deps.config, isLong), isLong).catch(asRefused(route))
  const fingerprintsOf = () => checkedBody ?? (isLong ? slices.run(fingerprintsSteps(body)) : fingerprints(body))
  const request = {
    requestId: state.requestId,
    disconnected: () => disconnection(context),
    clientAddress: state.clientAddress,
    secure: state.secure,
    wantsHtml: context.get('accept').includes('text/html'),
    userAgent: context.req.headers['user-agent'] ?? '',
    // The fingerprint of a refused body is not used.
    idempotency: key === null || !checked.ok ? null : { key, ...fingerprintsIn(await fingerprintsOf()) },
    ...state.identity,
    ...(state.by && { by: state.by }),
  }
  if (checked.ok) return { act: () => route.handle({ ...request, params, query, body: checked.body }, deps) }
  const { respondToRefused } = route
  if (respondToRefused) return { act: () => respondToRefused(checked, request, deps) }
  const more = (await inTime(deps, context, () => route.serviceProblems?.(checked.raw, request, deps))) ?? []
  const isKnown = ({ path, code }: Problem): boolean =>
    checked.problems.some((one) => one.path === path && one.code === code)
  throw bodyFault([...checked.problems, ...more.filter((one) => !isKnown(one))])
}

/** Whether a key may come with a request. Other methods than POST have the same effect when they are repeated. */
const mayHaveKey = ({ method, idempotent, isRepeatable }: Route): boolean =>
  method !== 'POST' || idempotent === true || isRepeatable === true

/** A body that is not an object is a refused body too, if the route handles refused bodies. */
const asRefused =
  ({ respondToRefused }: Route) =>
  (thrown: unknown): CheckedBody => {
    if (respondToRefused === null || !(thrown instanceof Fault) || thrown.code !== 'validation_failed') throw thrown
    return { ok: false, raw: {}, problems: [...thrown.problems] }
  }

const fingerprintsIn = ({ fingerprint, formerFingerprint }: Omit<Idempotency, 'key'>): Omit<Idempotency, 'key'> => ({
  fingerprint,
  ...(formerFingerprint && { formerFingerprint }),
})

/** Gives the calls of a handler what authentication has left of the time for a response. */
const inTime = <T>({ wallClock }: Pick<RouteDeps, 'wallClock'>, { state }: Context, act: () => T): T =>
  state.authenticatedInMs > usualMs ? withDeadline(wallClock() + responseMs - state.authenticatedInMs, act) : act()

/** The alias of a template stands wherever its id may. */
const aliasOrEmpty = (text: unknown): string => (typeof text === 'string' && isAlias(text) ? text : '')

const pathIds = (context: Context): Record<string, string> => {
  const params = (context as Context & { params?: Record<string, string> }).params ?? {}
  return Object.fromEntries(Object.entries(params).map(([name, id]) => [name, idOrEmpty(id) || aliasOrEmpty(id)]))
}

/** Waits for the store after a refusal too: a refusal such as "the name is in use" also depends on a write. */
const durableResponse = async (
  { durable }: RouteDeps,
  route: Route,
  context: Context,
  act: () => Promise<RouteResponse>,
): Promise<RouteResponse> => {
  const syncedResponse = async (): Promise<RouteResponse> => {
    const response = await act().catch(async (thrown: unknown) => {
      await durable.synced()
      throw thrown
    })
    // A second wait would include later writes, such as the first attempt of the accepted email.
    if (!response.durable) await durable.synced()
    return response
  }
  try {
    return await (route.method === 'GET' ? repeatedRead(durable, syncedResponse) : syncedResponse())
  } catch (thrown) {
    throw withAdvice(thrown, route, context)
  }
}

/** How often a read is repeated. */
const maxRepeats = 5

/**
 * Repeats a read if a commit failed while it ran, because it may have seen writes that do not exist. So reads succeed
 * while the disk is full, although the writes of others fail all the time.
 */
const repeatedRead = async (
  durable: RouteDeps['durable'],
  read: () => Promise<RouteResponse>,
): Promise<RouteResponse> => {
  for (let repeats = 0; ; repeats++) {
    const tried = await durable.unit(
      () =>
        read().then(
          (response) => ({ response }),
          async (reason: unknown) => ({ reason, isLost: await isCommitLost(durable) }),
        ),
      repeats > 0,
    )
    if ('response' in tried) return tried.response
    if (!tried.isLost || repeats === maxRepeats) throw tried.reason
  }
}

/** Whether a commit failed during the current unit. */
const isCommitLost = (durable: RouteDeps['durable']): Promise<boolean> =>
  durable.synced().then(
    () => false,
    () => true,
  )

const withAdvice = (thrown: unknown, { idempotent }: Route, context: Context): Fault => {
  const fault = asFault(thrown)
  return fault.code === 'unavailable' && idempotent ? withRetryAdvice(fault, context) : fault
}

/** An earlier request with the key may have been accepted, even if this one was not. */
const adviceWithKey = 'Retry with the same Idempotency-Key; the message is sent once.'
const adviceWithoutKey: Record<Fault['accepted'], string> = {
  no: 'Nothing was accepted, so sending it again is safe.',
  unknown:
    'The message may have been accepted. List your emails before you send it again, and send an Idempotency-Key to make retries safe.',
}

/** A 503 may come after the email was accepted, so the client must know what a second request would do. */
const withRetryAdvice = (fault: Fault, context: Context): Fault => {
  const hasKey = context.req.headers['idempotency-key'] !== undefined
  const advice = hasKey ? adviceWithKey : adviceWithoutKey[fault.accepted]
  return new Fault('unavailable', `${fault.message} ${advice}`, {
    problems: fault.problems,
    headers: fault.headers,
    expected: fault.expected,
    accepted: fault.accepted,
    ...(fault.retryAfterMs !== null && { retryAfterMs: fault.retryAfterMs }),
    cause: fault.cause ?? fault,
  })
}

/** @param long the JSON of the response, if it was written in steps */
const send = (context: Context, status: number, response: RouteResponse, long: Buffer | null): void => {
  if (response.headers) context.set(response.headers)
  context.status = response.status ?? status
  if ('empty' in response) {
    context.body = null
    return
  }
  if ('file' in response) {
    sendFile(context, response.file, compared)
    return
  }
  // The type is set first: without one Koa inspects the body to find it.
  context.res.setHeader('Content-Type', 'bytes' in response ? response.type : 'application/json; charset=utf-8')
  if ('bytes' in response) context.body = bufferOf(response.bytes)
  else context.body = long ?? ('jsonText' in response ? response.jsonText : JSON.stringify(response.json))
}
