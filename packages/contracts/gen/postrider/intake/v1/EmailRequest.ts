// Original file: protos/postrider/intake/v1/intake.proto

import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from '../../../postrider/intake/v1/Reader.ts';

export interface EmailRequest {
  'reader'?: (_postrider_intake_v1_Reader | null);
  'id'?: (string);
  'inline_images'?: (boolean);
  '_inline_images'?: "inline_images";
}

export interface EmailRequest__Output {
  'reader': (_postrider_intake_v1_Reader__Output | null);
  'id': (string);
  'inline_images'?: (boolean);
}
