// Original file: protos/postrider/accounts/v1/accounts.proto

import type { SessionInfo as _postrider_accounts_v1_SessionInfo, SessionInfo__Output as _postrider_accounts_v1_SessionInfo__Output } from '../../../postrider/accounts/v1/SessionInfo.ts';

export interface SessionList {
  'sessions'?: (_postrider_accounts_v1_SessionInfo)[];
}

export interface SessionList__Output {
  'sessions': (_postrider_accounts_v1_SessionInfo__Output)[];
}
