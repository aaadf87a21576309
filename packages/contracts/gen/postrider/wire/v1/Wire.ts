// Original file: protos/postrider/wire/v1/wire.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Calls as _postrider_wire_v1_Calls, Calls__Output as _postrider_wire_v1_Calls__Output } from '../../../postrider/wire/v1/Calls.ts';
import type { Replies as _postrider_wire_v1_Replies, Replies__Output as _postrider_wire_v1_Replies__Output } from '../../../postrider/wire/v1/Replies.ts';

export interface WireClient extends grpc.Client {
  Gather(argument: _postrider_wire_v1_Calls, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_postrider_wire_v1_Replies__Output>;
  Gather(argument: _postrider_wire_v1_Calls, options?: grpc.CallOptions): grpc.ClientReadableStream<_postrider_wire_v1_Replies__Output>;
  gather(argument: _postrider_wire_v1_Calls, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_postrider_wire_v1_Replies__Output>;
  gather(argument: _postrider_wire_v1_Calls, options?: grpc.CallOptions): grpc.ClientReadableStream<_postrider_wire_v1_Replies__Output>;
  
}

export interface WireHandlers extends grpc.UntypedServiceImplementation {
  Gather: grpc.handleServerStreamingCall<_postrider_wire_v1_Calls__Output, _postrider_wire_v1_Replies>;
  
}

export interface WireDefinition extends grpc.ServiceDefinition {
  Gather: MethodDefinition<_postrider_wire_v1_Calls, _postrider_wire_v1_Replies, _postrider_wire_v1_Calls__Output, _postrider_wire_v1_Replies__Output>
}
