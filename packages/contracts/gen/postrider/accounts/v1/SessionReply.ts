// Original file: protos/postrider/accounts/v1/accounts.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';

export interface SessionReply {
  'token'?: (string);
  'csrf_token'?: (string);
  'email'?: (string);
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'email_confirmed'?: (boolean);
  'totp_enabled'?: (boolean);
  'operator'?: (boolean);
  'totp_passed'?: (boolean);
  '_email_confirmed'?: "email_confirmed";
  '_totp_enabled'?: "totp_enabled";
  '_operator'?: "operator";
  '_totp_passed'?: "totp_passed";
}

export interface SessionReply__Output {
  'token': (string);
  'csrf_token': (string);
  'email': (string);
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'email_confirmed'?: (boolean);
  'totp_enabled'?: (boolean);
  'operator'?: (boolean);
  'totp_passed'?: (boolean);
}
