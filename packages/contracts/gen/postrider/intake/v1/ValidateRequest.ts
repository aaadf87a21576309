// Original file: protos/postrider/intake/v1/intake.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';
import type { Mail as _postrider_intake_v1_Mail, Mail__Output as _postrider_intake_v1_Mail__Output } from '../../../postrider/intake/v1/Mail.ts';
import type { CheckRequest as _postrider_intake_v1_CheckRequest, CheckRequest__Output as _postrider_intake_v1_CheckRequest__Output } from '../../../postrider/intake/v1/CheckRequest.ts';

export interface ValidateRequest {
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'mail'?: (_postrider_intake_v1_Mail | null);
  'parts'?: (_postrider_intake_v1_CheckRequest | null);
  '_mail'?: "mail";
  '_parts'?: "parts";
}

export interface ValidateRequest__Output {
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'mail'?: (_postrider_intake_v1_Mail__Output | null);
  'parts'?: (_postrider_intake_v1_CheckRequest__Output | null);
}
