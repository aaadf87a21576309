// Original file: protos/postrider/accounts/v1/accounts.proto

import type { OwnWorkspace as _postrider_accounts_v1_OwnWorkspace, OwnWorkspace__Output as _postrider_accounts_v1_OwnWorkspace__Output } from '../../../postrider/accounts/v1/OwnWorkspace.ts';

export interface OwnWorkspaceList {
  'workspaces'?: (_postrider_accounts_v1_OwnWorkspace)[];
}

export interface OwnWorkspaceList__Output {
  'workspaces': (_postrider_accounts_v1_OwnWorkspace__Output)[];
}
