// Original file: protos/postrider/intake/v1/intake.proto

import type { Problem as _postrider_intake_v1_Problem, Problem__Output as _postrider_intake_v1_Problem__Output } from '../../../postrider/intake/v1/Problem.ts';

export interface CheckReply {
  'problems'?: (_postrider_intake_v1_Problem)[];
}

export interface CheckReply__Output {
  'problems': (_postrider_intake_v1_Problem__Output)[];
}
