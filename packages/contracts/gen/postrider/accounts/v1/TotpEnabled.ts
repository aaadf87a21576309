// Original file: protos/postrider/accounts/v1/accounts.proto

import type { SessionReply as _postrider_accounts_v1_SessionReply, SessionReply__Output as _postrider_accounts_v1_SessionReply__Output } from '../../../postrider/accounts/v1/SessionReply.ts';

export interface TotpEnabled {
  'session'?: (_postrider_accounts_v1_SessionReply | null);
  'recovery_codes'?: (string)[];
}

export interface TotpEnabled__Output {
  'session': (_postrider_accounts_v1_SessionReply__Output | null);
  'recovery_codes': (string)[];
}
