import { Fault } from '@postrider/kit/fault.ts'
import { openBodies } from '../bodies/bodyRoom.ts'
import type { Memory } from '../bodies/memory.ts'
import type { Context } from '../deps.ts'
import { withBody } from '../steps/readBody.ts'
import { type FormFields, formFields, maxFields } from './formFields.ts'

/** Most forms have a few short fields. */
const usualBytes = 8 * 1_024

const urlEncoded = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** `workspace`: that of the session that sends the form; its body has the memory of other requests of the workspace. */
type FormOptions = { maxBytes?: number; workspace?: string }

/**
 * Reads the body of a posted form and calls `use` with its fields.
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `unavailable`
 */
export const withForm = async (
  context: Context,
  memory: Memory,
  use: (fields: FormFields) => Promise<void>,
  { maxBytes = usualBytes, workspace }: FormOptions = {},
): Promise<void> => {
  const { headers } = context.req
  if (headers['content-encoding'] !== undefined || !urlEncoded.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', 'The body must be a form; send application/x-www-form-urlencoded.')
  }
  const bodies = workspace === undefined ? openBodies(memory) : { ...memory, ownerOf: () => workspace }
  await withBody(context, { maxBytes, memory: bodies }, (bytes) => {
    const fields = formFields(bytes)
    if (fields === null) throw new Fault('malformed_request', `A form may have at most ${maxFields} fields.`)
    return use(fields)
  })
}
