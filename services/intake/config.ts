import type { QueueBounds } from '@postrider/domain/fairness/admission.ts'
import { defaultRetention, type RetentionLimits, retentionLimits } from '@postrider/domain/retention/retention.ts'
import { dayMs, hourMs } from '@postrider/domain/time.ts'
import * as backend from '@postrider/kit/backendSettings.ts'
import { bounceDomain, sender } from '@postrider/kit/mailSettings.ts'
import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** How long an `Idempotency-Key` is stored, unless the operator sets another time. */
const defaultIdempotencyHours = 24

/** Environment variables of the intake process. */
export const Config = z
  .object({
    ...peer.grpcPort,
    ...peer.peerSecurity,
    ...peer.callerTokens.gateway,
    ...peer.callerTokens.intake,
    ...peer.callerTokens.accounts,
    ...peer.peers.templates,
    ...peer.peers.quota,
    ...backend.mongo,
    ...backend.kafka,
    ...sender,
    ...bounceDomain,
    POSTRIDER_MAX_QUEUED: settings
      .count('emails', 1_000_000)
      .describe(
        'Maximum number of live emails that may wait for delivery, without scheduled emails. One workspace may use half of it; above it, workspaces with more than their share get 503.',
      ),
    POSTRIDER_MAX_SCHEDULED: settings
      .optionalCount('emails')
      .describe(
        'Maximum number of scheduled live emails that may wait, with the same shares; unset: POSTRIDER_MAX_QUEUED.',
      ),
    POSTRIDER_MAX_TEST_QUEUED: settings
      .optionalCount('emails')
      .describe(
        'Maximum number of test emails that may wait, with the same shares; unset: a tenth of POSTRIDER_MAX_QUEUED.',
      ),
    POSTRIDER_MAX_TEST_QUEUED_MIB: settings
      .mebibytes(1_024, 2 ** 20)
      .describe('Maximum size of test emails, in MiB, that may wait, with the same shares.'),
    ...settings.maxMessage,
    POSTRIDER_CALL_MEMORY_MIB: settings
      .mebibytes(64, 4_096)
      .describe(
        'MiB of calls with long messages in memory at the same time, of all gateways together, at least POSTRIDER_MAX_MESSAGE_MIB; one workspace may have five eighths of it. The chart derives it from the memory limit.',
      ),
    POSTRIDER_IDEMPOTENCY_HOURS: settings
      .hours(defaultIdempotencyHours, 720)
      .describe('Hours that an Idempotency-Key is stored after the request or the scheduled time, 1 to 720.'),
    ...settings.retention,
    ...settings.ops,
  })
  .superRefine(peer.allTlsFiles, settings.always)
  .superRefine(
    peer.callerIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY', 'POSTRIDER_WIRE_TOKEN_INTAKE', 'POSTRIDER_WIRE_TOKEN_ACCOUNTS'),
    settings.always,
  )
  .superRefine(backend.wholeKafkaLogin, settings.always)
  .superRefine(settings.fitsLargest('POSTRIDER_CALL_MEMORY_MIB', 'POSTRIDER_MAX_MESSAGE_MIB'), settings.always)

export type Config = z.output<typeof Config>

type QueueConfig = Pick<
  Config,
  'POSTRIDER_MAX_QUEUED' | 'POSTRIDER_MAX_SCHEDULED' | 'POSTRIDER_MAX_TEST_QUEUED' | 'POSTRIDER_MAX_TEST_QUEUED_MIB'
>

/** Returns the bounds on waiting mail. */
export const queueBounds = (config: QueueConfig): QueueBounds => ({
  due: config.POSTRIDER_MAX_QUEUED,
  scheduled: config.POSTRIDER_MAX_SCHEDULED ?? config.POSTRIDER_MAX_QUEUED,
  test: config.POSTRIDER_MAX_TEST_QUEUED ?? Math.max(1, Math.floor(config.POSTRIDER_MAX_QUEUED / 10)),
  testBytes: settings.bytesOf(config.POSTRIDER_MAX_TEST_QUEUED_MIB),
})

export type IntakeLimits = {
  /** Bytes of the finished MIME message. */
  messageBytes: number
  /** How far ahead mail may be scheduled. */
  scheduleAheadMs: number
  /** How far in the past a send time may be, because clocks differ; mail with such a time is sent immediately. */
  schedulePastMs: number
  /** How long an `Idempotency-Key` is stored after the request, or after the scheduled time. */
  idempotencyMs: number
  /** How long a request may hold its key before another request may take it over. */
  claimLeaseMs: number
  /** How long the response to a move of a test clock waits for what became due. */
  clockWaitMs: number
  /** How long content, records and attachments are stored. */
  retention: RetentionLimits
}

export const defaultIntakeLimits: IntakeLimits = {
  messageBytes: settings.bytesOf(settings.defaultMessageMib),
  scheduleAheadMs: 30 * dayMs,
  schedulePastMs: 60_000,
  idempotencyMs: defaultIdempotencyHours * hourMs,
  claimLeaseMs: 30_000,
  clockWaitMs: 2_000,
  retention: defaultRetention,
}

/** Returns the default limits with the operator's settings applied. */
export const intakeLimits = (
  config: Pick<Config, 'POSTRIDER_MAX_MESSAGE_MIB' | 'POSTRIDER_IDEMPOTENCY_HOURS'> &
    Parameters<typeof retentionLimits>[0],
): IntakeLimits => ({
  ...defaultIntakeLimits,
  messageBytes: settings.bytesOf(config.POSTRIDER_MAX_MESSAGE_MIB),
  idempotencyMs: config.POSTRIDER_IDEMPOTENCY_HOURS * hourMs,
  retention: retentionLimits(config),
})
