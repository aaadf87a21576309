import { Id } from '@postrider/contracts/http/lists.ts'
import { ControlsRecord } from '@postrider/contracts/http/operator.ts'
import { controlsRecord } from '../controlsRecord.ts'
import type { RouteDeps } from '../deps.ts'
import { openRoute } from '../route.ts'

export const getControls = openRoute({
  name: 'getWorkspaceControls',
  method: 'GET',
  path: '/api/v1/operator/workspaces/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Read what the operator set for a workspace',
  limit: null,
  params: Id,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace.' },
  handle: async ({ params: { id } }, { accounts, quota }: Pick<RouteDeps, 'accounts' | 'quota'>) => ({
    json: await controlsRecord(quota, await accounts.GetWorkspace({ workspace: id })),
  }),
})
