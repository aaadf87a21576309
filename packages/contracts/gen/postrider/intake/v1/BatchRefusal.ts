// Original file: protos/postrider/intake/v1/intake.proto

import type { Problem as _postrider_intake_v1_Problem, Problem__Output as _postrider_intake_v1_Problem__Output } from '../../../postrider/intake/v1/Problem.ts';

export interface BatchRefusal {
  'number'?: (number);
  'code'?: (string);
  'detail'?: (string);
  'problems'?: (_postrider_intake_v1_Problem)[];
}

export interface BatchRefusal__Output {
  'number': (number);
  'code': (string);
  'detail': (string);
  'problems': (_postrider_intake_v1_Problem__Output)[];
}
