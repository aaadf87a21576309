// Original file: protos/postrider/intake/v1/intake.proto

import type { Captured as _postrider_intake_v1_Captured, Captured__Output as _postrider_intake_v1_Captured__Output } from '../../../postrider/intake/v1/Captured.ts';

export interface ListCapturedReply {
  'captured'?: (_postrider_intake_v1_Captured)[];
  'has_more'?: (boolean);
  'last_id'?: (string);
  '_has_more'?: "has_more";
  '_last_id'?: "last_id";
}

export interface ListCapturedReply__Output {
  'captured': (_postrider_intake_v1_Captured__Output)[];
  'has_more'?: (boolean);
  'last_id'?: (string);
}
