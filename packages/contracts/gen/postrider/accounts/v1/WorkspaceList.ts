// Original file: protos/postrider/accounts/v1/accounts.proto

import type { Workspace as _postrider_accounts_v1_Workspace, Workspace__Output as _postrider_accounts_v1_Workspace__Output } from '../../../postrider/accounts/v1/Workspace.ts';

export interface WorkspaceList {
  'workspaces'?: (_postrider_accounts_v1_Workspace)[];
}

export interface WorkspaceList__Output {
  'workspaces': (_postrider_accounts_v1_Workspace__Output)[];
}
