import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { pageAt, paging } from './paging.ts'

export type Member = components['schemas']['Member']
export type Invitation = components['schemas']['Invitation']

/** The members of the workspace, the newest first. */
export const memberPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: ['members', 'list'],
    queryFn: ({ pageParam, signal }) => api.get('/api/v1/members', { query: pageAt(pageParam, 100), signal }),
    ...paging,
  })

/** The open invitations of the workspace, the newest first. */
export const invitationPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: ['members', 'invitations'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/members/invitations', {
        query: pageAt(pageParam, 100),
        signal,
      }),
    ...paging,
  })
