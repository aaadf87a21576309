// Original file: protos/postrider/intake/v1/intake.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';
import type { Mail as _postrider_intake_v1_Mail, Mail__Output as _postrider_intake_v1_Mail__Output } from '../../../postrider/intake/v1/Mail.ts';

export interface SubmitRequest {
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'mail'?: (_postrider_intake_v1_Mail | null);
  'idempotency_key'?: (string);
  'operation'?: (string);
  'fingerprint'?: (Buffer | Uint8Array | string);
  'request_id'?: (string);
  'former_fingerprint'?: (Buffer | Uint8Array | string);
  'is_repeat'?: (boolean);
  'email_id'?: (string);
}

export interface SubmitRequest__Output {
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'mail': (_postrider_intake_v1_Mail__Output | null);
  'idempotency_key': (string);
  'operation': (string);
  'fingerprint': (Buffer);
  'request_id': (string);
  'former_fingerprint': (Buffer);
  'is_repeat': (boolean);
  'email_id': (string);
}
