// Original file: protos/postrider/intake/v1/intake.proto

import type { ParkedEmail as _postrider_intake_v1_ParkedEmail, ParkedEmail__Output as _postrider_intake_v1_ParkedEmail__Output } from '../../../postrider/intake/v1/ParkedEmail.ts';

export interface ListParkedReply {
  'emails'?: (_postrider_intake_v1_ParkedEmail)[];
  'position'?: (string);
  'has_more'?: (boolean);
}

export interface ListParkedReply__Output {
  'emails': (_postrider_intake_v1_ParkedEmail__Output)[];
  'position': (string);
  'has_more': (boolean);
}
