import { WorkspaceRecord } from '@postrider/contracts/http/workspace.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { GatewayConfig } from '../deps.ts'
import { sessionRoute } from '../route.ts'
import { workspaceRecord } from '../workspaceRecord.ts'

export const getWorkspace = sessionRoute({
  name: 'getWorkspace',
  method: 'GET',
  path: '/api/v1/workspace',
  session: true,
  tag: 'Accounts',
  summary: 'Read the workspace’s settings',
  limit: 'read',
  reply: { status: 200, body: WorkspaceRecord, description: 'The workspace.' },
  handle: async (
    { caller: { workspace } },
    { accounts, config }: { accounts: Pick<Accounts, 'GetWorkspace'>; config: Pick<GatewayConfig, 'sender'> },
  ) => ({ json: workspaceRecord(await accounts.GetWorkspace({ workspace }), config.sender) }),
})
