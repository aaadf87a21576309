// Original file: protos/postrider/wire/v1/wire.proto

import type { Reply as _postrider_wire_v1_Reply, Reply__Output as _postrider_wire_v1_Reply__Output } from '../../../postrider/wire/v1/Reply.ts';

export interface Replies {
  'replies'?: (_postrider_wire_v1_Reply)[];
}

export interface Replies__Output {
  'replies': (_postrider_wire_v1_Reply__Output)[];
}
