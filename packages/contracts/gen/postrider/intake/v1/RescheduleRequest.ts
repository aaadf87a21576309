// Original file: protos/postrider/intake/v1/intake.proto

import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from '../../../postrider/intake/v1/Reader.ts';

export interface RescheduleRequest {
  'reader'?: (_postrider_intake_v1_Reader | null);
  'id'?: (string);
  'scheduled_at'?: (string);
  'scheduled_in_ms'?: (number | string);
  '_scheduled_at'?: "scheduled_at";
  '_scheduled_in_ms'?: "scheduled_in_ms";
}

export interface RescheduleRequest__Output {
  'reader': (_postrider_intake_v1_Reader__Output | null);
  'id': (string);
  'scheduled_at'?: (string);
  'scheduled_in_ms'?: (number);
}
