import type { IncomingMessage } from 'node:http'
import { Fault } from '@postrider/kit/fault.ts'
import type { Step } from '../deps.ts'
import { hasBody } from './readBody.ts'

/*
 * Requests that Node's parser accepts although this service and a proxy before it may disagree about them: about the
 * end of their body (RFC 9112 §6.1, §11.2), their version or their target.
 */

/** What follows such a request on its connection may be a part of it, so the connection ends. */
const ended = { headers: { Connection: 'close' } }

/** Versions whose requests look like those of HTTP/1.1 to the parser. */
const isOtherVersion = ({ httpVersion }: IncomingMessage): boolean => httpVersion !== '1.1' && httpVersion !== '1.0'

/** Node joins several fields by commas. */
const codingFault = ({ headers, httpVersion }: IncomingMessage): Fault | null => {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return null
  if (httpVersion === '1.0') {
    return new Fault('malformed_request', 'HTTP/1.0 has no Transfer-Encoding; send Content-Length.', ended)
  }
  if (coding.toLowerCase() === 'chunked') return null
  // Without `chunked` as the last one, the end of the body is not known (RFC 9112 §6.3).
  if (!/(?:^|,)[ \t]*chunked$/i.test(coding)) {
    return new Fault('malformed_request', 'The last transfer coding must be `chunked`.', ended)
  }
  const detail = 'The only transfer coding of this service is `chunked`; send the body without another one.'
  return new Fault('not_implemented', detail, ended)
}

/**
 * RFC 9112 §3.2: a target has no fragment, and is `*` for OPTIONS only. A proxy may compare its rules with the whole
 * target.
 */
const targetFault = ({ url = '', method }: IncomingMessage): Fault | null =>
  url.includes('#') || (url === '*' && method !== 'OPTIONS')
    ? new Fault('malformed_request', 'The request target must be a path without a fragment, or a URL.', ended)
    : null

/** RFC 9110 §10.1.1: HTTP/1.0 has no expectations. The client may or may not send its body after this response. */
const expectationFault = (request: IncomingMessage): Fault | null => {
  const { expect } = request.headers
  if (expect === undefined || request.httpVersion === '1.0' || /^100-continue$/i.test(expect)) return null
  const detail = 'The only value of `Expect` that this service supports is `100-continue`; leave the header out.'
  return new Fault('expectation_failed', detail, hasBody(request) ? ended : {})
}

/** Returns why a request is refused by its first line or its framing; null: it is not. */
export const protocolFault = (request: IncomingMessage): Fault | null => {
  if (isOtherVersion(request)) {
    return new Fault('malformed_request', 'This service speaks HTTP/1.1; send the request in this version.', ended)
  }
  return codingFault(request) ?? targetFault(request) ?? expectationFault(request)
}

/** Returns whether the connection of a refused request ends with its response. */
export const endsConnection = (fault: Fault): boolean => fault.headers['Connection'] === 'close'

/** @throws Fault `malformed_request`, `expectation_failed`, `not_implemented` */
export const checkProtocol: Step = (context, next) => {
  const fault = protocolFault(context.req)
  if (fault !== null) throw fault
  return next()
}

/** `OPTIONS *` checks whether the server responds (RFC 9110 §9.3.7). */
export const answerAsterisk: Step = (context, next) => {
  if (context.req.url !== '*') return next()
  context.status = 204
}
