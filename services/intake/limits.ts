import type { Config } from './config.ts'

/** What a message may be; every breach names its limit. */
export type IntakeLimits = {
  /** Of the finished MIME message. */
  messageBytes: number
  /** How far ahead mail may be scheduled. */
  scheduleAheadMs: number
  /** How far in the past a send time may lie, for clocks that differ; it counts as now. */
  schedulePastMs: number
  /** How long an `Idempotency-Key` is kept after the request, or after the scheduled time. */
  idempotencyMs: number
  /** How long a request may hold its key before another may take it over. */
  claimLeaseMs: number
}

export const defaultLimits: IntakeLimits = {
  messageBytes: 10 * 2 ** 20,
  scheduleAheadMs: 30 * 86_400_000,
  schedulePastMs: 60_000,
  idempotencyMs: 86_400_000,
  claimLeaseMs: 30_000,
}

type Settings = Pick<Config, 'POSTRIDER_MAX_MESSAGE_MIB' | 'POSTRIDER_IDEMPOTENCY_HOURS'>

/** The same, with what the operator set. */
export const intakeLimits = (config: Settings): IntakeLimits => ({
  ...defaultLimits,
  messageBytes: config.POSTRIDER_MAX_MESSAGE_MIB,
  idempotencyMs: config.POSTRIDER_IDEMPOTENCY_HOURS * 3_600_000,
})
