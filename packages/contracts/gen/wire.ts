import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Call as _postrider_wire_v1_Call, Call__Output as _postrider_wire_v1_Call__Output } from './postrider/wire/v1/Call.ts';
import type { Calls as _postrider_wire_v1_Calls, Calls__Output as _postrider_wire_v1_Calls__Output } from './postrider/wire/v1/Calls.ts';
import type { Replies as _postrider_wire_v1_Replies, Replies__Output as _postrider_wire_v1_Replies__Output } from './postrider/wire/v1/Replies.ts';
import type { Reply as _postrider_wire_v1_Reply, Reply__Output as _postrider_wire_v1_Reply__Output } from './postrider/wire/v1/Reply.ts';
import type { WireClient as _postrider_wire_v1_WireClient, WireDefinition as _postrider_wire_v1_WireDefinition } from './postrider/wire/v1/Wire.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    wire: {
      v1: {
        Call: MessageTypeDefinition<_postrider_wire_v1_Call, _postrider_wire_v1_Call__Output>
        Calls: MessageTypeDefinition<_postrider_wire_v1_Calls, _postrider_wire_v1_Calls__Output>
        Replies: MessageTypeDefinition<_postrider_wire_v1_Replies, _postrider_wire_v1_Replies__Output>
        Reply: MessageTypeDefinition<_postrider_wire_v1_Reply, _postrider_wire_v1_Reply__Output>
        Wire: SubtypeConstructor<typeof grpc.Client, _postrider_wire_v1_WireClient> & { service: _postrider_wire_v1_WireDefinition }
      }
    }
  }
}

