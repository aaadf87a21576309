import { Fault } from '@postrider/kit/fault.ts'
import type { Context } from '../deps.ts'
import type { Memory } from '../memory.ts'
import { openBodies, withBody } from '../steps/readBody.ts'

/** Most forms have a few short fields. */
const usualBytes = 8 * 1_024

const urlEncoded = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * Reads the body of a posted form and calls `use` with its fields. Of a repeated field the first value counts.
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `unavailable`
 */
export const withForm = async (
  context: Context,
  memory: Memory,
  use: (fields: URLSearchParams) => Promise<void>,
  mostBytes = usualBytes,
): Promise<void> => {
  const { headers } = context.req
  if (headers['content-encoding'] !== undefined || !urlEncoded.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', 'The body must be a form; send application/x-www-form-urlencoded.')
  }
  await withBody(context, { mostBytes, memory: openBodies(memory) }, (bytes) =>
    use(new URLSearchParams(bytes.toString())),
  )
}
