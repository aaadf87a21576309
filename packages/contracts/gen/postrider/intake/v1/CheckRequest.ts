// Original file: protos/postrider/intake/v1/intake.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';

export interface CheckRequest {
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'template_id'?: (string);
  'template_vars_json'?: (string);
  'domain_id'?: (string);
  'scheduled_at'?: (string);
  'category'?: (string);
  'scheduled_in_ms'?: (number | string);
  '_template_id'?: "template_id";
  '_template_vars_json'?: "template_vars_json";
  '_domain_id'?: "domain_id";
  '_scheduled_at'?: "scheduled_at";
  '_scheduled_in_ms'?: "scheduled_in_ms";
}

export interface CheckRequest__Output {
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'template_id'?: (string);
  'template_vars_json'?: (string);
  'domain_id'?: (string);
  'scheduled_at'?: (string);
  'category': (string);
  'scheduled_in_ms'?: (number);
}
