import type { FaultCode } from '@postrider/kit/fault.ts'
import { shown, shownJson } from './output.ts'

/** Codes of failures that the server does not report; docs/cli.md describes them. */
export type CliCode =
  | 'connection'
  | 'interrupted'
  | 'invalid_key'
  | 'no_credentials'
  | 'not_accepted'
  | 'unexpected_response'
  | 'unreadable_file'
  | 'usage'

/** Reason why a command failed, and what to do about it. */
export type Failure = {
  /** A `CliCode` or a code of the API, which may be one that this release does not have. */
  code: string
  message: string
  errors: readonly { path: string; code: string; message: string }[]
  /** What to do; null: the message states it. */
  hint: string | null
  /** Request id of the response; null: there was none. */
  requestId: string | null
  /** HTTP status; null: there was no response. */
  status: number | null
}

const kind = Symbol('failure')

const unknown = { errors: [], hint: null, requestId: null, status: null } as const

/** A failure that the command line finds itself. */
export type OwnFailure = Failure & { code: CliCode | FaultCode }

type FailureParts = Partial<OwnFailure> & Pick<OwnFailure, 'code' | 'message'>

/** Returns an error that ends the command with the failure. */
export const failed = (failure: Failure | FailureParts): Error =>
  Object.assign(new Error(failure.message), { [kind]: { ...unknown, ...failure } })

export const usageFailure = (message: string): OwnFailure => ({ ...unknown, code: 'usage', message })

/** A wrong argument or option. */
export const wrongUsage = (message: string): Error => failed(usageFailure(message))

/** @returns null: the thrown value is a defect of this program */
export const failureOf = (thrown: unknown): Failure | null =>
  thrown instanceof Error && kind in thrown ? (thrown[kind] as Failure) : null

/** Returns the exit code of a failure. 1: the command failed; 2: it was called with wrong arguments. */
export const exitCodeOf = ({ code }: Failure): number => (code === 'usage' ? 2 : 1)

/** Returns a failure as lines for a person. */
export const failureText = ({ message, errors, hint, requestId }: Failure): string =>
  [
    `error: ${shown(message)}`,
    ...errors.map(({ path, message: problem }) => `  ${path === '' ? '' : `${shown(path)}: `}${shown(problem)}`),
    ...(hint === null ? [] : [`what to do: ${hint}`]),
    ...(requestId === null ? [] : [`request id: ${shown(requestId)}`]),
    '',
  ].join('\n')

/** Returns a failure as one line of JSON. */
export const failureJson = ({ code, message, errors, hint, requestId, status }: Failure): string =>
  `${shownJson({ error: { code, message, status, errors, hint, request_id: requestId } })}\n`
