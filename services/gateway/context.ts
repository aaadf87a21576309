import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Middleware, ParameterizedContext } from 'koa'

/** A person's log-in, as the cookie told it. */
export type Session = { token: string; csrfToken: string; email: string }

/** Who makes a request: a key, or a person by their session. */
export type Asker = { caller: Caller; session: Session | null }

/** What the steps find out about a request, each for those after it. */
export type State = {
  requestId: string
  clientAddress: string
  /** Whether the client came over TLS. */
  secure: boolean
  /** Null until the request proved who makes it; on open routes for ever. */
  asker: Asker | null
  /** The parsed body; undefined where there is none. */
  body: unknown
  /** The email a request made or named, for the log. */
  emailId: string | null
}

export type Context = ParameterizedContext<State>
export type Step = Middleware<State>
