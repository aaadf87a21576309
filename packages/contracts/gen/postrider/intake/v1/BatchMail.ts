// Original file: protos/postrider/intake/v1/intake.proto

import type { Mail as _postrider_intake_v1_Mail, Mail__Output as _postrider_intake_v1_Mail__Output } from '../../../postrider/intake/v1/Mail.ts';

export interface BatchMail {
  'number'?: (number);
  'mail'?: (_postrider_intake_v1_Mail | null);
}

export interface BatchMail__Output {
  'number': (number);
  'mail': (_postrider_intake_v1_Mail__Output | null);
}
