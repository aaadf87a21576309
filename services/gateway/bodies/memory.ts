import type { After } from '@postrider/kit/after.ts'
import { type ByteBudget, byteBudget } from '@postrider/kit/byteBudget.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import type { GatewayLimits } from '../config.ts'
import type { ShortChunks } from './shortChunks.ts'

/**
 * Memory that the requests of all callers use at the same time. Short bodies count as they arrive, long ones as a whole
 * before they are read. Each budget has a share per owner: several owners get equal parts, and while others wait for
 * memory, bodies that are not complete are ended for them (packages/kit/byteBudget.ts).
 */
export type Memory = {
  /**
   * Bodies over 64 KiB of requests with a key, a session or the operator's token until they have a response, and
   * responses over 64 KiB until they are flushed. An owner is a workspace.
   */
  long: ByteBudget
  /**
   * Responses that may be long, while they are made. It is separate from `long`, so that clients that do not read their
   * responses cause no refusal of a short one. An owner is a workspace.
   */
  responses: ByteBudget
  /** Shorter bodies of requests with a key, a session or the operator's token. An owner is a workspace. */
  short: ByteBudget
  /**
   * Bodies of requests without a key, so that unauthenticated clients use no memory of workspaces. An owner is a client
   * address.
   */
  open: ByteBudget
  /**
   * Events of the payment provider: longer bodies without a key, which therefore use no memory of logins. An owner is a
   * client address.
   */
  payments: ByteBudget
  /** How long a request waits for its share. */
  waitMs: number
  clock: MemoryClock
  chunks: Pick<ShortChunks, 'count'>
}

/** Measures durations and sets timers. */
export type MemoryClock = { elapsed: Monotonic; after: After }

/** A body or response up to this size uses nothing of the budget of long ones. */
export const shortBodyBytes = 64 * 1_024

/** The owner of the memory of requests with the operator's token. */
export const operatorOwner = 'operator'

type Limits = Pick<GatewayLimits, 'longBodies' | 'responses' | 'shortBodies' | 'openBodies' | 'paymentBodies'>

export const makeMemory = (
  { longBodies, responses, shortBodies, openBodies, paymentBodies }: Limits,
  clock: MemoryClock,
  chunks: Pick<ShortChunks, 'count'>,
): Memory => {
  const budget = ({ bytes, bytesOfOne }: { bytes: number; bytesOfOne: number }): ByteBudget =>
    byteBudget({ capacityBytes: bytes, maxBytesPerOwner: bytesOfOne, isFirstFit: true })
  return {
    long: budget(longBodies),
    responses: budget(responses),
    short: budget(shortBodies),
    open: budget(openBodies),
    payments: budget(paymentBodies),
    waitMs: longBodies.waitMs,
    clock,
    chunks,
  }
}
