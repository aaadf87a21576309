import { readRetryAfter } from '@postrider/domain/webhooks/schedule.ts'
import type { WebhookResponse } from '@postrider/ports/webhookClient.ts'
import type { Dispatcher } from 'undici'

export type BodyLimits = {
  /** Maximum number of bytes that are read. */
  readBytes: number
  /** Maximum number of bytes that are returned. */
  keptBytes: number
}

/** `isWhole`: the response was read to its end, so that the connection can carry another request. */
export type ReadResponse = { response: WebhookResponse; isWhole: boolean }

/** @throws the error of the connection, if the response ends early */
export const readResponse = async (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { readBytes, keptBytes }: BodyLimits,
  now: () => number,
): Promise<ReadResponse> => {
  const fields = Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => fieldOf(name, value)))
  const wait = readRetryAfter(fields['retry-after'] ?? '', now())
  const kept: Buffer[] = []
  let size = 0
  // A stream that is destroyed before its end reports an error after the loop has ended.
  body.on('error', () => {})
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (size < keptBytes) kept.push(chunk.subarray(0, keptBytes - size))
    size += chunk.length
    if (size > readBytes) break
  }
  const response = {
    status: statusCode,
    headers: fields,
    // A copy: a part of a chunk would retain the whole chunk.
    body: new Uint8Array(Buffer.concat(kept)),
    isBodyCut: size > keptBytes,
    ...(wait !== null && { retryAfterMs: wait }),
  }
  return { response, isWhole: size <= readBytes }
}

const fieldOf = (name: string, value: string | string[] | undefined): [string, string][] =>
  value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]]
