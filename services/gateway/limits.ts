import type { Config } from './config.ts'
import { defaultLimits, type GatewayLimits } from './deps.ts'

type Settings = Pick<
  Config,
  | 'POSTRIDER_MAX_BODY_MIB'
  | 'POSTRIDER_SEND_RATE'
  | 'POSTRIDER_READ_RATE'
  | 'POSTRIDER_WRITE_RATE'
  | 'POSTRIDER_WORKSPACE_RATE'
>

/** The gateway's limits, with what the operator set. */
export const gatewayLimits = (config: Settings): GatewayLimits => ({
  ...defaultLimits,
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
