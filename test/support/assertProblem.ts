import assert from 'node:assert/strict'
import type { Answer } from './http.ts'
import type { ProblemRecord } from './records.ts'

const insides = /node_modules|\.ts:\d+|\bat [\w.]+ \(|SQLITE|ECONNREFUSED/

/** Every refusal has one shape, its request id is the header's, and nothing of the server's inside is in it. */
export const assertProblem = (
  answer: Answer<unknown>,
  status: number,
  code: string,
  problems: readonly { path?: string; code?: string }[] = [],
): ProblemRecord => {
  const body = answer.body as ProblemRecord
  assert.equal(answer.status, status, `status ${answer.status}, not ${status}: ${answer.text.slice(0, 600)}`)
  assert.equal(body.code, code, answer.text.slice(0, 600))
  assert.equal(body.status, status)
  assert.equal(body.type, `/problems/${code.replaceAll('_', '-')}`)
  assert.equal(typeof body.title, 'string')
  assert.ok(typeof body.detail === 'string' && body.detail.length > 0, 'detail is a sentence')
  assert.equal(body.request_id, answer.headers['x-request-id'])
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/)
  assert.doesNotMatch(answer.text, insides)
  for (const wanted of problems) assertHas(body, wanted)
  return body
}

const assertHas = (body: ProblemRecord, wanted: { path?: string; code?: string }): void => {
  const found = (body.errors ?? []).some(
    (one) =>
      (wanted.path === undefined || one.path === wanted.path) &&
      (wanted.code === undefined || one.code === wanted.code) &&
      one.message.length > 0,
  )
  assert.ok(found, `no ${JSON.stringify(wanted)} in ${JSON.stringify(body.errors)?.slice(0, 800)}`)
}
