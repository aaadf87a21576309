// Original file: protos/postrider/intake/v1/intake.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';

export interface MoveTestClockRequest {
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'actor'?: (string);
  'client_address'?: (string);
  'advance_ms'?: (number | string);
  'at'?: (number | string);
  '_advance_ms'?: "advance_ms";
  '_at'?: "at";
}

export interface MoveTestClockRequest__Output {
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'actor': (string);
  'client_address': (string);
  'advance_ms'?: (number);
  'at'?: (number);
}
