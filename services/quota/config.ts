import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'

/** Environment variables of the quota process. */
export const Config = peer.RecordServiceConfig.safeExtend(settings.payments).superRefine(
  settings.bothStripeSecrets,
  settings.always,
)
