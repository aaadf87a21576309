// Original file: protos/postrider/accounts/v1/accounts.proto

import type { UserWorkspace as _postrider_accounts_v1_UserWorkspace, UserWorkspace__Output as _postrider_accounts_v1_UserWorkspace__Output } from '../../../postrider/accounts/v1/UserWorkspace.ts';

export interface UserState {
  'id'?: (string);
  'email'?: (string);
  'workspaces'?: (_postrider_accounts_v1_UserWorkspace)[];
  'created_at'?: (string);
  'last_seen_at'?: (string);
  'disabled'?: (boolean);
  'disabled_reason'?: (string);
}

export interface UserState__Output {
  'id': (string);
  'email': (string);
  'workspaces': (_postrider_accounts_v1_UserWorkspace__Output)[];
  'created_at': (string);
  'last_seen_at': (string);
  'disabled': (boolean);
  'disabled_reason': (string);
}
