import { internalMode, type StoredEvent, type WorkspaceEventData } from '../events/event.ts'
import { isoTime } from '../time.ts'
import type { WebhookEndpoint, WebhookNotice } from './endpoint.ts'

/**
 * Returns the event that reports a notice of an endpoint. Notifications to members are made from both kinds; the feed and webhooks
 * have only the event of a disabled endpoint, the other is internal.
 * @param id `evt_…`, the same each time for this notice
 */
export const newWebhookEvent = (
  { id: webhookId, workspace, mode, url }: Pick<WebhookEndpoint, 'id' | 'workspace' | 'mode' | 'url'>,
  notice: WebhookNotice,
  id: string,
): Omit<StoredEvent, 'at'> => {
  const about = { webhook_id: webhookId, url }
  const at = isoTime(notice.at)
  if (notice.kind === 'exhausted')
    return { id, type: 'webhook.failing', workspace, mode: internalMode, data: { ...about, failed_at: at } }
  const data: WorkspaceEventData['webhook.disabled'] = { ...about, reason: notice.reason ?? '', disabled_at: at }
  return { id, type: 'webhook.disabled', workspace, mode: mode ?? 'live', data }
}
