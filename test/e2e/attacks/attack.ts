import type { Tenant } from '../../support/client.ts'
import type { Call } from '../../support/http.ts'
import type { Received } from '../../support/receiver.ts'
import type { EmailRecord } from '../../support/records.ts'

/** A malicious or malformed request, with the required response. */
export type Attack = {
  /** The number of the kind of attack. */
  number: number
  /** The input, if it is refused; otherwise the behavior as a sentence. */
  name: string
  /** The fields that make a valid send an attack. */
  mail?: Record<string, unknown>
  /** Returns another request. It is sent with the API key of a workspace, unless it needs a session. */
  call?: (tenant: Tenant) => Call | Promise<Call>
  refused?: Refused
  /** The attack is accepted: checks the one message that the SMTP server received. */
  accepted?: (received: Received, record: EmailRecord) => void
}

export type Refused = {
  status: number
  code: string
  /** Each must match an entry of `errors`. */
  problems?: readonly { path?: string; code?: string }[]
  /** The limit of CPU that the attack uses in addition to a plain request of its size. */
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
