// Original file: protos/postrider/intake/v1/intake.proto

import type { RetentionClass as _postrider_intake_v1_RetentionClass, RetentionClass__Output as _postrider_intake_v1_RetentionClass__Output } from '../../../postrider/intake/v1/RetentionClass.ts';

export interface RetentionReply {
  'classes'?: (_postrider_intake_v1_RetentionClass)[];
  'content_days'?: (number | string);
  'record_days'?: (number | string);
  'attachment_days'?: (number | string);
}

export interface RetentionReply__Output {
  'classes': (_postrider_intake_v1_RetentionClass__Output)[];
  'content_days': (number);
  'record_days': (number);
  'attachment_days': (number);
}
