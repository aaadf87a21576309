import { status } from '@grpc/grpc-js'
import { Fault, type FaultCode, faultCodes, grpcStatus } from '../fault.ts'

/** What became of a call. */
export type Outcome = {
  /** gRPC status; 0: OK */
  code: number
  /** The reply's message; where it isn't OK the fault, empty where there is nothing to tell. */
  body: Buffer
}

/** Where a call that failed carries its fault. */
export const faultTrailer = 'postrider-fault-bin'

/** Most that a fault may take, in bytes: base64 makes it a third longer, and Node takes 64 KiB of trailers. */
const mostBytes = 32 * 1024
const longestDetail = 2_000

/** A status without a word. */
export const bare = (code: number): Outcome => ({ code, body: Buffer.alloc(0) })

/** The fault whole, but for its cause, which is for the log alone; problems that don't fit are left out, the last first. */
export const refusal = (fault: Fault): Outcome => ({
  code: status[grpcStatus(fault.code) as keyof typeof status],
  body: fitting({ ...fault, detail: fault.message }, fault.problems.length),
})

type Whole = Pick<Fault, 'code' | 'problems' | 'retryAfterMs' | 'headers'> & { detail: string }

const fitting = ({ code, detail, problems, retryAfterMs, headers }: Whole, count: number): Buffer => {
  const told = { code, detail, problems: problems.slice(0, count), retryAfterMs, headers }
  const bytes = Buffer.from(JSON.stringify(told))
  if (bytes.length <= mostBytes) return bytes
  return count > 0
    ? fitting({ ...told, problems }, Math.floor(count / 2))
    : Buffer.from(JSON.stringify({ code, detail: detail.slice(0, longestDetail), retryAfterMs }))
}

type Told = {
  code: FaultCode
  detail: string
  problems?: Fault['problems']
  retryAfterMs?: number | null
  headers?: Record<string, string>
}

/** @returns the fault that an outcome carries; null where it is none of ours */
export const faultOf = ({ body }: Outcome): Fault | null => {
  const told = body.length === 0 ? null : parsed(body)
  if (!told) return null
  const { code, detail, problems = [], retryAfterMs = null, headers = {} } = told
  return new Fault(code, detail, { problems, headers, ...(retryAfterMs !== null && { retryAfterMs }) })
}

const parsed = (body: Buffer): Told | null => {
  try {
    const told = JSON.parse(body.toString())
    return faultCodes.includes(told?.code) && typeof told.detail === 'string' ? told : null
  } catch {
    return null
  }
}
