// Original file: protos/postrider/intake/v1/intake.proto

import type { Problem as _postrider_intake_v1_Problem, Problem__Output as _postrider_intake_v1_Problem__Output } from '../../../postrider/intake/v1/Problem.ts';

export interface ValidateReply {
  'problems'?: (_postrider_intake_v1_Problem)[];
  'would_send'?: (boolean);
}

export interface ValidateReply__Output {
  'problems': (_postrider_intake_v1_Problem__Output)[];
  'would_send': (boolean);
}
