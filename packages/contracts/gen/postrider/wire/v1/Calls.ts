// Original file: protos/postrider/wire/v1/wire.proto

import type { Call as _postrider_wire_v1_Call, Call__Output as _postrider_wire_v1_Call__Output } from '../../../postrider/wire/v1/Call.ts';

export interface Calls {
  'calls'?: (_postrider_wire_v1_Call)[];
}

export interface Calls__Output {
  'calls': (_postrider_wire_v1_Call__Output)[];
}
