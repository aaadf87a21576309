import { status } from '@grpc/grpc-js'
import { Fault } from '@postrider/kit/fault.ts'
import { faultOf } from '@postrider/kit/grpc/outcome.ts'
import type { Answer } from './ask.ts'

/** How soon to come again, by what gRPC says where the service itself said nothing. All else is a bug of ours. */
const passing: Record<number, number> = {
  [status.UNAVAILABLE]: 1_000,
  [status.CANCELLED]: 1_000,
  [status.DEADLINE_EXCEEDED]: 2_000,
  [status.RESOURCE_EXHAUSTED]: 2_000,
}

/** What a caller of the service gets thrown: the very fault the service threw, or `unavailable`, or a plain error. */
export const thrownFor = (path: string, answer: Answer): Error => {
  const fault = faultOf(answer)
  if (fault) return fault
  const what = new Error(`${path}: ${status[answer.code] ?? answer.code} ${answer.told}`)
  const retryAfterMs = passing[answer.code]
  if (retryAfterMs === undefined) return what
  const detail = 'A part of the service doesn’t answer; try again in a few seconds.'
  return new Fault('unavailable', detail, { retryAfterMs, cause: what })
}
