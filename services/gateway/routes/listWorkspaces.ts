import { Page } from '@postrider/contracts/http/lists.ts'
import { ControlsList } from '@postrider/contracts/http/operator.ts'
import { controlsRecord } from '../controlsRecord.ts'
import type { RouteDeps } from '../deps.ts'
import { listBody, listPage } from '../listPage.ts'
import { openRoute } from '../route.ts'

const path = '/api/v1/operator/workspaces'

export const listWorkspaces = openRoute({
  name: 'listWorkspaces',
  method: 'GET',
  path,
  operator: true,
  tag: 'Operator',
  summary: 'List every workspace',
  limit: null,
  query: Page,
  reply: { status: 200, body: ControlsList, description: 'A page of workspaces, newest first.' },
  handle: async ({ query }, { accounts, quota, cursors }: Pick<RouteDeps, 'accounts' | 'quota' | 'cursors'>) => {
    const { limit, before, nextCursor } = listPage(cursors, path, '', query)
    // One more than the page tells whether another follows.
    const { workspaces } = await accounts.ListWorkspaces({ limit: limit + 1, before })
    const shown = workspaces.slice(0, limit)
    const hasMore = workspaces.length > limit
    const data = await Promise.all(shown.map((workspace) => controlsRecord(quota, workspace)))
    return { json: listBody(data, hasMore, nextCursor(hasMore, shown.at(-1)?.id)) }
  },
})
