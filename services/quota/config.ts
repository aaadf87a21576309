import * as settings from '@postrider/kit/settings.ts'

/** Environment variables of the quota process. */
export const Config = settings.RecordServiceConfig.safeExtend(settings.payments).superRefine(
  settings.bothStripeSecrets,
  settings.always,
)
