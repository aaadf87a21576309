import type { IncomingMessage } from 'node:http'
import { Fault } from '@postrider/kit/fault.ts'

/** The forms have a few short fields. */
const mostBytes = 8 * 1_024

const urlEncoded = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * Reads the body of a posted form. Of a repeated field the first value counts.
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`
 */
export const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const { headers } = request
  if (headers['content-encoding'] !== undefined || !urlEncoded.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', 'The body must be a form; send application/x-www-form-urlencoded.')
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostBytes) break
      chunks.push(chunk)
    }
  } catch (thrown) {
    throw new Fault('malformed_request', 'The request ended before its body was complete.', { cause: thrown })
  }
  if (size > mostBytes) throw new Fault('too_large', `The form is over ${mostBytes / 1_024} KiB; shorten its fields.`)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
