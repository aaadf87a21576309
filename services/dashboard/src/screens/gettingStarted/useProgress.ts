import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Email } from '../../api/types.ts'
import { useMode } from '../../app/mode.tsx'
import { fallbackMs } from '../../app/useLiveList.ts'

/** How often is read again what no event shows. */
const followMs = 5_000

/** Returns the steps that the workspace has completed. Null: not known yet. */
export const useProgress = () => {
  const api = useApi()
  const { mode } = useMode()
  const follow = { refetchInterval: followMs, staleTime: 0 }
  const keys = useQuery({
    queryKey: ['start', 'keys'],
    queryFn: ({ signal }) => api.get('/api/v1/api-keys', { query: { limit: 100 }, signal }),
    ...follow,
  })
  const emails = useQuery({
    queryKey: ['start', 'emails', mode],
    queryFn: ({ signal }) => api.get('/api/v1/emails', { query: { limit: 1, mode }, signal }),
    refetchInterval: fallbackMs,
    staleTime: 0,
  })
  const domains = useQuery({
    queryKey: ['start', 'domains'],
    queryFn: ({ signal }) => api.get('/api/v1/domains', { query: { limit: 100 }, signal }),
    ...follow,
  })
  const webhooks = useQuery({
    queryKey: ['start', 'webhooks'],
    queryFn: ({ signal }) => api.get('/api/v1/webhooks', { query: { limit: 100 }, signal }),
    ...follow,
  })
  const valid = keys.data?.data.filter((key) => key.mode === mode && key.revoked_at === null)
  const sent: Email | null | undefined = emails.data && (emails.data.data[0] ?? null)
  return {
    error: keys.error ?? emails.error ?? domains.error ?? webhooks.error,
    key: valid && (valid[0] ?? null),
    email: sent,
    domains: domains.data?.data,
    webhooks: webhooks.data?.data,
  }
}
