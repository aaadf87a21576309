// Original file: protos/postrider/intake/v1/intake.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';
import type { Address as _postrider_intake_v1_Address, Address__Output as _postrider_intake_v1_Address__Output } from '../../../postrider/intake/v1/Address.ts';

export interface CheckRequest {
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'template_id'?: (string);
  'template_vars_json'?: (string);
  'domain_id'?: (string);
  'scheduled_at'?: (string);
  'category'?: (string);
  'scheduled_in_ms'?: (number | string);
  'from'?: (_postrider_intake_v1_Address | null);
  'to'?: (_postrider_intake_v1_Address)[];
  'cc'?: (_postrider_intake_v1_Address)[];
  'bcc'?: (_postrider_intake_v1_Address)[];
  'retention'?: (string);
  'template_version'?: (number);
  '_template_id'?: "template_id";
  '_template_vars_json'?: "template_vars_json";
  '_domain_id'?: "domain_id";
  '_scheduled_at'?: "scheduled_at";
  '_scheduled_in_ms'?: "scheduled_in_ms";
  '_from'?: "from";
  '_retention'?: "retention";
  '_template_version'?: "template_version";
}

export interface CheckRequest__Output {
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'template_id'?: (string);
  'template_vars_json'?: (string);
  'domain_id'?: (string);
  'scheduled_at'?: (string);
  'category': (string);
  'scheduled_in_ms'?: (number);
  'from'?: (_postrider_intake_v1_Address__Output | null);
  'to': (_postrider_intake_v1_Address__Output)[];
  'cc': (_postrider_intake_v1_Address__Output)[];
  'bcc': (_postrider_intake_v1_Address__Output)[];
  'retention'?: (string);
  'template_version'?: (number);
}
