import { Metadata, status } from '@grpc/grpc-js'
import { Fault, type FaultCode, faultCodes, grpcStatus } from '../fault.ts'

/** The result of a call. */
export type CallOutcome = {
  /** gRPC status; 0: OK */
  code: number
  /** The encoded reply; of a failed call the encoded fault, empty when there is none. */
  body: Buffer
}

/** Trailer of a failed call that contains its fault. */
export const faultTrailer = 'postrider-fault-bin'

/** Maximum size of an encoded fault in bytes: base64 adds a third, and Node accepts 64 KiB of trailers. */
const faultBytes = 32 * 1024
const maxDetailLength = 2_000

/** Returns an outcome without a body. */
export const statusOnly = (code: number): CallOutcome => ({ code, body: Buffer.alloc(0) })

/** Returns the outcome that carries a fault. Its cause is for the log only; problems that do not fit are dropped. */
export const faultOutcome = (fault: Fault): CallOutcome => ({
  code: status[grpcStatus(fault.code) as keyof typeof status],
  body: encodeFault({ ...fault, detail: fault.message }, fault.problems.length),
})

type FaultParts = Pick<Fault, 'code' | 'problems' | 'retryAfterMs' | 'headers' | 'expected' | 'accepted'> & {
  detail: string
}

/** @param count of problems to include; halved until the result fits */
const encodeFault = (
  { code, detail, problems, retryAfterMs, headers, expected, accepted }: FaultParts,
  count: number,
): Buffer => {
  const parts = { code, detail, problems: problems.slice(0, count), retryAfterMs, headers, expected, accepted }
  const bytes = Buffer.from(JSON.stringify(parts))
  if (bytes.length <= faultBytes) return bytes
  return count > 0
    ? encodeFault({ ...parts, problems }, Math.floor(count / 2))
    : Buffer.from(JSON.stringify({ code, detail: detail.slice(0, maxDetailLength), retryAfterMs, expected, accepted }))
}

/** Returns the status of a failed call, with its fault in the trailers. */
export const failureOf = ({ code, body }: CallOutcome): { code: number; details: string; metadata: Metadata } => {
  const metadata = new Metadata()
  if (body.length > 0) metadata.set(faultTrailer, body)
  return { code, details: '', metadata }
}

type FaultBody = {
  code: FaultCode
  detail: string
  problems?: Fault['problems']
  retryAfterMs?: number | null
  headers?: Record<string, string>
  /** Absent from a service of an earlier release. */
  expected?: boolean
  /** Absent from a service of an earlier release. */
  accepted?: string
}

/** @returns the fault in an outcome; null: it contains none that this version supports */
export const faultOf = ({ body }: CallOutcome): Fault | null => {
  const parts = body.length === 0 ? null : parseFault(body)
  if (!parts) return null
  const { code, detail, problems = [], retryAfterMs = null, headers = {}, expected = false } = parts
  return new Fault(code, detail, {
    problems,
    headers,
    expected,
    accepted: parts.accepted === 'no' ? 'no' : 'unknown',
    ...(retryAfterMs !== null && { retryAfterMs }),
  })
}

const parseFault = (body: Buffer): FaultBody | null => {
  try {
    const value = JSON.parse(body.toString())
    return faultCodes.includes(value?.code) && typeof value.detail === 'string' ? value : null
  } catch {
    return null
  }
}
