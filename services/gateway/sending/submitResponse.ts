import type { QuotaAfterSend, SubmitReply } from '@postrider/contracts/services.ts'
import type { RouteResponse } from '../route.ts'

/** Response headers of every route that accepts mail, for the API reference. */
export const submitHeaders = {
  'Quota-Limit': 'Sends of the tighter quota; absent if there is no limit.',
  'Quota-Remaining': 'Sends left in it.',
  'Quota-Reset': 'Seconds until it resets.',
  'Idempotent-Replayed': '`true` if this is the response of an earlier request with the same key.',
}

const quotaHeaders = ({ limit, remaining, resetsInMs }: QuotaAfterSend): Record<string, string> => ({
  'Quota-Limit': String(limit),
  'Quota-Remaining': String(remaining),
  'Quota-Reset': String(Math.max(0, Math.ceil(resetsInMs / 1_000))),
})

/** Returns the response to accepted mail, byte for byte that of the first request. */
export const submitResponse = (
  { status, bodyJson, replayed, quota }: SubmitReply,
  { about, headers = {} }: { about?: string; headers?: Record<string, string> } = {},
): RouteResponse<never> => ({
  status,
  jsonText: bodyJson,
  ...(about !== undefined && { about }),
  durable: true,
  headers: {
    ...headers,
    ...(replayed && { 'Idempotent-Replayed': 'true' }),
    ...(quota && quotaHeaders(quota)),
  },
})
