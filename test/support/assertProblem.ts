import assert from 'node:assert/strict'
import type { HttpResponse } from './http.ts'
import type { ProblemRecord } from './records.ts'

/** Stack traces, source files, drivers. */
const internals = /node_modules|\.ts:\d+|\bat [\w.]+ \(|SQLITE|ECONNREFUSED/

/**
 * Asserts that a response is an error of the one shape, with the request id of its header and without internals of the
 * server.
 * @param problems each must match an entry of `errors`
 * @returns the body
 */
export const assertProblem = (
  response: HttpResponse<unknown>,
  status: number,
  code: string,
  problems: readonly { path?: string; code?: string }[] = [],
): ProblemRecord => {
  const body = response.body as ProblemRecord
  assert.equal(
    response.status,
    status,
    `status is ${response.status} instead of ${status}: ${response.text.slice(0, 600)}`,
  )
  assert.equal(body.code, code, response.text.slice(0, 600))
  assert.equal(body.status, status)
  assert.equal(body.type, `/problems/${code.replaceAll('_', '-')}`)
  assert.equal(typeof body.title, 'string')
  assert.ok(typeof body.detail === 'string' && body.detail.length > 0, 'detail is empty')
  assert.equal(body.request_id, response.headers['x-request-id'])
  assert.match(response.headers['content-type'] ?? '', /^application\/json\b/)
  assert.doesNotMatch(response.text, internals)
  for (const wanted of problems) assertLists(body, wanted)
  return body
}

const assertLists = (body: ProblemRecord, wanted: { path?: string; code?: string }): void => {
  const found = (body.errors ?? []).some(
    (error) =>
      (wanted.path === undefined || error.path === wanted.path) &&
      (wanted.code === undefined || error.code === wanted.code) &&
      error.message.length > 0,
  )
  assert.ok(found, `errors do not contain ${JSON.stringify(wanted)}: ${JSON.stringify(body.errors)?.slice(0, 800)}`)
}
