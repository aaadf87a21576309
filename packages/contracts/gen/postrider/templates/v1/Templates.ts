// Original file: protos/postrider/templates/v1/templates.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateRequest as _postrider_templates_v1_CreateRequest, CreateRequest__Output as _postrider_templates_v1_CreateRequest__Output } from '../../../postrider/templates/v1/CreateRequest.ts';
import type { GetRequest as _postrider_templates_v1_GetRequest, GetRequest__Output as _postrider_templates_v1_GetRequest__Output } from '../../../postrider/templates/v1/GetRequest.ts';
import type { ListReply as _postrider_templates_v1_ListReply, ListReply__Output as _postrider_templates_v1_ListReply__Output } from '../../../postrider/templates/v1/ListReply.ts';
import type { ListRequest as _postrider_templates_v1_ListRequest, ListRequest__Output as _postrider_templates_v1_ListRequest__Output } from '../../../postrider/templates/v1/ListRequest.ts';
import type { Template as _postrider_templates_v1_Template, Template__Output as _postrider_templates_v1_Template__Output } from '../../../postrider/templates/v1/Template.ts';

export interface TemplatesClient extends grpc.Client {
  Create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_templates_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_templates_v1_CreateRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  
  Get(argument: _postrider_templates_v1_GetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_templates_v1_GetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_templates_v1_GetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_templates_v1_GetRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_templates_v1_GetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_templates_v1_GetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_templates_v1_GetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_templates_v1_GetRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  
  List(argument: _postrider_templates_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_templates_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_templates_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_templates_v1_ListRequest, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_templates_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_templates_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_templates_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_templates_v1_ListRequest, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  
}

export interface TemplatesHandlers extends grpc.UntypedServiceImplementation {
  Create: grpc.handleUnaryCall<_postrider_templates_v1_CreateRequest__Output, _postrider_templates_v1_Template>;
  
  Get: grpc.handleUnaryCall<_postrider_templates_v1_GetRequest__Output, _postrider_templates_v1_Template>;
  
  List: grpc.handleUnaryCall<_postrider_templates_v1_ListRequest__Output, _postrider_templates_v1_ListReply>;
  
}

export interface TemplatesDefinition extends grpc.ServiceDefinition {
  Create: MethodDefinition<_postrider_templates_v1_CreateRequest, _postrider_templates_v1_Template, _postrider_templates_v1_CreateRequest__Output, _postrider_templates_v1_Template__Output>
  Get: MethodDefinition<_postrider_templates_v1_GetRequest, _postrider_templates_v1_Template, _postrider_templates_v1_GetRequest__Output, _postrider_templates_v1_Template__Output>
  List: MethodDefinition<_postrider_templates_v1_ListRequest, _postrider_templates_v1_ListReply, _postrider_templates_v1_ListRequest__Output, _postrider_templates_v1_ListReply__Output>
}
