import type { MethodDefinition } from '@grpc/proto-loader'

/**
 * The proto form of a service: one async function per method, over whole messages. An aborted `signal` ends the wait of
 * the caller, and the work of methods that can stop.
 */
export type Service<Definition> = {
  [Method in keyof Definition as string extends Method ? never : Method]: Definition[Method] extends MethodDefinition<
    infer _Request,
    infer _Reply,
    infer Request,
    infer Reply
  >
    ? (request: Request, signal?: AbortSignal) => Promise<Reply>
    : never
}

/**
 * Actor of a request, for the audit log: a key or user id, and the address of the client; empty or absent: not known.
 */
export type Requester = { actor: string; clientAddress?: string }

type RequestOf<Method> = Method extends (request: infer Request) => unknown ? Request : never

/** Rules for calls of a method over gRPC. */
export type MethodRules<Method> = {
  /** Maximum wait for the response in milliseconds, retries included. */
  deadlineMs: number
  /**
   * Whether the client repeats the same request after no response. The name of a field: only when the request has it.
   */
  repeatable: boolean | (keyof RequestOf<Method> & string)
  /** The field that is true in a repeated request. */
  repeatField?: keyof RequestOf<Method> & string
  /**
   * The method for the same request that is called instead if the service, of an earlier release, does not have this
   * one.
   */
  formerMethod?: string
  /**
   * The reply can have over a mebibyte, so it uses another connection than short calls, which would wait for parts of
   * it.
   */
  hasLongReply?: boolean
}

/** The services that call others. */
export type CallerName = 'gateway' | 'intake' | 'accounts'

export type MethodNames<Service> = readonly (keyof Service & string)[]

/** Definition of a service that its client and its server share. */
export type ServiceSpec<Service> = {
  /** Path of the file under protos/. */
  proto: string
  /** Full name in that file. */
  name: string
  /** Maximum sizes of a request and of a reply, in bytes. */
  messageBytes: number
  methods: { [Method in keyof Service]: MethodRules<Service[Method]> }
  /** The methods that each caller needs; the server refuses all others. */
  callers: { readonly [Caller in CallerName]?: MethodNames<Service> }
}
