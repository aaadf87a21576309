import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { pageAt, paging } from './paging.ts'

export type SessionEntry = components['schemas']['SessionEntry']
export type NotificationPreferences = components['schemas']['NotificationPreferences']
export type TotpSecret = components['schemas']['TotpSecret']

/** The sessions of the person, the newest first. */
export const ownSessionPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: ['account', 'sessions'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/auth/sessions', {
        query: pageAt(pageParam, 100),
        signal,
      }),
    ...paging,
  })

/** Query of the notifications that the person gets about the workspace and the account. */
export const notificationsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['account', 'notifications'],
    queryFn: ({ signal }) => api.get('/api/v1/account/notifications', { signal }),
  })
