import type { Tenant } from '../../support/client.ts'
import type { Call } from '../../support/http.ts'
import type { Received } from '../../support/receiver.ts'
import type { EmailRecord } from '../../support/records.ts'

/** One input of INVARIANTS section 2 with the answer it must get. */
export type Attack = {
  /** Its number there. */
  no: number
  name: string
  /** Fields of a mail that is otherwise right; `to` is added where it is missing. */
  mail?: Record<string, unknown>
  /** Any other request, made with the key of a workspace. */
  call?: (tenant: Tenant) => Call | Promise<Call>
  refused?: Refused
  /** It is taken: what the real SMTP server must have got, as one message. */
  taken?: (received: Received, record: EmailRecord) => void
}

export type Refused = {
  status: number
  code: string
  /** Each of them must be among `errors`. */
  problems?: readonly { path?: string; code?: string }[]
  /** Most CPU the service may use for it beyond that for a plain request of its size, at the best of some tries. */
  cpuMs?: number
}

export const invalid = (path: string, code?: string): Refused => ({
  status: 422,
  code: 'validation_failed',
  problems: [code === undefined ? { path } : { path, code }],
})

export const malformed = (code?: string): Refused => ({
  status: 400,
  code: 'malformed_request',
  ...(code === undefined ? {} : { problems: [{ code }] }),
})

export const postMail = (body: string | Uint8Array, headers: Record<string, string> = {}): Call => ({
  path: '/api/v1/emails',
  body,
  headers,
})
