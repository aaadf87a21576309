import type { Outcome } from '@postrider/kit/grpc/outcome.ts'

/** One call to a service. */
export type Call = {
  /** `/package.Service/Method` */
  path: string
  message: Buffer
  /** In milliseconds since the epoch. */
  deadlineAt: number
  /** Metadata beside the token. */
  headers: Record<string, string>
}

/** What became of it, with what gRPC says of it for the log. */
export type Answer = Outcome & { told: string }

/** Makes a call and tells what became of it; never throws. */
export type Ask = (call: Call) => Promise<Answer>
