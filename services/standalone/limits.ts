import { type GatewayLimits, defaultLimits as gatewayDefaults } from '@postrider/gateway/deps.ts'
import { type IntakeLimits, defaultLimits as intakeDefaults } from '@postrider/intake/limits.ts'
import type { Config } from './config.ts'

/** The gateway's limits, with what the operator set. */
export const gatewayLimits = (config: Config): GatewayLimits => ({
  ...gatewayDefaults,
  sendBodyBytes: config.POSTRIDER_MAX_BODY_MIB,
  rates: {
    key: {
      send: config.POSTRIDER_SEND_RATE,
      read: config.POSTRIDER_READ_RATE,
      write: config.POSTRIDER_WRITE_RATE,
    },
    workspace: config.POSTRIDER_WORKSPACE_RATE,
  },
})

/** Intake's limits, with what the operator set. */
export const intakeLimits = (config: Config): IntakeLimits => ({
  ...intakeDefaults,
  messageBytes: config.POSTRIDER_MAX_MESSAGE_MIB,
  idempotencyMs: config.POSTRIDER_IDEMPOTENCY_HOURS * 3_600_000,
})
