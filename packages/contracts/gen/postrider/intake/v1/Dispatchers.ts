// Original file: protos/postrider/intake/v1/intake.proto

import type { LaneDispatchers as _postrider_intake_v1_LaneDispatchers, LaneDispatchers__Output as _postrider_intake_v1_LaneDispatchers__Output } from '../../../postrider/intake/v1/LaneDispatchers.ts';

export interface Dispatchers {
  'lanes'?: (_postrider_intake_v1_LaneDispatchers)[];
}

export interface Dispatchers__Output {
  'lanes': (_postrider_intake_v1_LaneDispatchers__Output)[];
}
