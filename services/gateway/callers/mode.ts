import type { Mode } from '@postrider/domain/email/email.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Identity } from '../deps.ts'

/**
 * Returns the mode of the records that a caller may read; null: both. A key reads its own mode, a session both or the
 * mode that it requests.
 * @param wanted the filter `mode` of a list
 * @throws Fault `malformed_request`: a key requests the other mode
 */
export const modeSeen = ({ caller, session }: Identity, wanted?: Mode): Mode | null => {
  if (session) return wanted ?? null
  if (wanted === undefined || wanted === caller.mode) return caller.mode
  const message = `A ${caller.mode} key sees records of its own mode only; use a ${wanted} key, or leave mode out.`
  throw new Fault('malformed_request', `mode: ${message}`, {
    problems: [{ path: 'mode', code: 'invalid_mode', message }],
  })
}
