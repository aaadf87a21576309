import { methodsOf } from './definition.ts'

/** The messages of protos/postrider/wire/v1/wire.proto. */
export type WireCall = { path: string; message: Buffer; timeout_ms: number; headers: Record<string, string> }
export type WireCalls = { calls: WireCall[] }
export type WireReply = { number: number; code: number; body: Buffer }
export type WireReplies = { replies: WireReply[] }

/** Most that travels together, in bytes; a larger message goes alone. */
export const gatheredBytes = 2 ** 20

/** What a message that carries others is larger by, at most. */
export const framingBytes = 64 * 1024

type Gather = {
  path: string
  request: { encode(calls: WireCalls): Buffer; decode(bytes: Buffer): WireCalls }
  reply: { encode(replies: WireReplies): Buffer; decode(bytes: Buffer): WireReplies }
}

export const gatherMethod = (): Gather => {
  const [gather] = methodsOf({ proto: 'postrider/wire/v1/wire.proto', name: 'postrider.wire.v1.Wire' })
  return gather as unknown as Gather
}
