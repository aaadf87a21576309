// Original file: protos/postrider/accounts/v1/accounts.proto

import type { UserState as _postrider_accounts_v1_UserState, UserState__Output as _postrider_accounts_v1_UserState__Output } from '../../../postrider/accounts/v1/UserState.ts';

export interface UserList {
  'users'?: (_postrider_accounts_v1_UserState)[];
}

export interface UserList__Output {
  'users': (_postrider_accounts_v1_UserState__Output)[];
}
