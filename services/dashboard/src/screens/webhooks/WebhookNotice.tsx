import { disableAfterHours } from '@postrider/contracts/http/values.ts'
import type { Webhook } from '../../api/webhooks.ts'
import { AbsoluteTime, RelativeTime } from '../../ui/RelativeTime.tsx'
import { disabledText } from './webhookLabels.ts'

/** Shows what needs attention: the endpoint is disabled, fails, or has a second secret for a while. */
export const WebhookNotice = ({ webhook }: { webhook: Webhook }) => {
  const { enabled, disabled_reason, failing_since, former_secret_expires_at } = webhook
  return (
    <>
      {!enabled && (
        <p className="rounded-md bg-idle-tint px-3 py-2 text-small text-idle">
          <span className="font-medium">Disabled.</span> {disabledText[disabled_reason ?? 'request']}
        </p>
      )}
      {enabled && failing_since !== null && (
        <p className="rounded-md bg-bad-tint px-3 py-2 text-small text-bad">
          <span className="font-medium">Failing.</span> No attempt succeeded since{' '}
          <RelativeTime at={failing_since} className="font-medium" />. Open a failed delivery to see what your server
          responded. After {disableAfterHours} hours of failures the endpoint is disabled.
        </p>
      )}
      {former_secret_expires_at !== null && (
        <p className="rounded-md bg-info-tint px-3 py-2 text-small text-info">
          The former secret also signs until <AbsoluteTime at={former_secret_expires_at} />. Replace it in your server
          before.
        </p>
      )}
    </>
  )
}
