// Original file: protos/postrider/intake/v1/intake.proto

import type { QuotaStanding as _postrider_intake_v1_QuotaStanding, QuotaStanding__Output as _postrider_intake_v1_QuotaStanding__Output } from '../../../postrider/intake/v1/QuotaStanding.ts';

export interface SubmitReply {
  'id'?: (string);
  'status'?: (number);
  'body_json'?: (string);
  'replayed'?: (boolean);
  'quota'?: (_postrider_intake_v1_QuotaStanding | null);
  '_quota'?: "quota";
}

export interface SubmitReply__Output {
  'id': (string);
  'status': (number);
  'body_json': (string);
  'replayed': (boolean);
  'quota'?: (_postrider_intake_v1_QuotaStanding__Output | null);
}
