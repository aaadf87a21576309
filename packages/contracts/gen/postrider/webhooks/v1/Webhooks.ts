// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ChangeRequest as _postrider_webhooks_v1_ChangeRequest, ChangeRequest__Output as _postrider_webhooks_v1_ChangeRequest__Output } from '../../../postrider/webhooks/v1/ChangeRequest.ts';
import type { CheckReply as _postrider_webhooks_v1_CheckReply, CheckReply__Output as _postrider_webhooks_v1_CheckReply__Output } from '../../../postrider/webhooks/v1/CheckReply.ts';
import type { CheckRequest as _postrider_webhooks_v1_CheckRequest, CheckRequest__Output as _postrider_webhooks_v1_CheckRequest__Output } from '../../../postrider/webhooks/v1/CheckRequest.ts';
import type { CreateRequest as _postrider_webhooks_v1_CreateRequest, CreateRequest__Output as _postrider_webhooks_v1_CreateRequest__Output } from '../../../postrider/webhooks/v1/CreateRequest.ts';
import type { Delivery as _postrider_webhooks_v1_Delivery, Delivery__Output as _postrider_webhooks_v1_Delivery__Output } from '../../../postrider/webhooks/v1/Delivery.ts';
import type { DeliveryRequest as _postrider_webhooks_v1_DeliveryRequest, DeliveryRequest__Output as _postrider_webhooks_v1_DeliveryRequest__Output } from '../../../postrider/webhooks/v1/DeliveryRequest.ts';
import type { Endpoint as _postrider_webhooks_v1_Endpoint, Endpoint__Output as _postrider_webhooks_v1_Endpoint__Output } from '../../../postrider/webhooks/v1/Endpoint.ts';
import type { EndpointRequest as _postrider_webhooks_v1_EndpointRequest, EndpointRequest__Output as _postrider_webhooks_v1_EndpointRequest__Output } from '../../../postrider/webhooks/v1/EndpointRequest.ts';
import type { EndpointWithSecret as _postrider_webhooks_v1_EndpointWithSecret, EndpointWithSecret__Output as _postrider_webhooks_v1_EndpointWithSecret__Output } from '../../../postrider/webhooks/v1/EndpointWithSecret.ts';
import type { GetReplayRequest as _postrider_webhooks_v1_GetReplayRequest, GetReplayRequest__Output as _postrider_webhooks_v1_GetReplayRequest__Output } from '../../../postrider/webhooks/v1/GetReplayRequest.ts';
import type { ListDeliveriesReply as _postrider_webhooks_v1_ListDeliveriesReply, ListDeliveriesReply__Output as _postrider_webhooks_v1_ListDeliveriesReply__Output } from '../../../postrider/webhooks/v1/ListDeliveriesReply.ts';
import type { ListDeliveriesRequest as _postrider_webhooks_v1_ListDeliveriesRequest, ListDeliveriesRequest__Output as _postrider_webhooks_v1_ListDeliveriesRequest__Output } from '../../../postrider/webhooks/v1/ListDeliveriesRequest.ts';
import type { ListReply as _postrider_webhooks_v1_ListReply, ListReply__Output as _postrider_webhooks_v1_ListReply__Output } from '../../../postrider/webhooks/v1/ListReply.ts';
import type { ListRequest as _postrider_webhooks_v1_ListRequest, ListRequest__Output as _postrider_webhooks_v1_ListRequest__Output } from '../../../postrider/webhooks/v1/ListRequest.ts';
import type { Nothing as _postrider_webhooks_v1_Nothing, Nothing__Output as _postrider_webhooks_v1_Nothing__Output } from '../../../postrider/webhooks/v1/Nothing.ts';
import type { RedeliverRequest as _postrider_webhooks_v1_RedeliverRequest, RedeliverRequest__Output as _postrider_webhooks_v1_RedeliverRequest__Output } from '../../../postrider/webhooks/v1/RedeliverRequest.ts';
import type { ReplayRequest as _postrider_webhooks_v1_ReplayRequest, ReplayRequest__Output as _postrider_webhooks_v1_ReplayRequest__Output } from '../../../postrider/webhooks/v1/ReplayRequest.ts';
import type { ReplayState as _postrider_webhooks_v1_ReplayState, ReplayState__Output as _postrider_webhooks_v1_ReplayState__Output } from '../../../postrider/webhooks/v1/ReplayState.ts';
import type { TestRequest as _postrider_webhooks_v1_TestRequest, TestRequest__Output as _postrider_webhooks_v1_TestRequest__Output } from '../../../postrider/webhooks/v1/TestRequest.ts';
import type { UpdateRequest as _postrider_webhooks_v1_UpdateRequest, UpdateRequest__Output as _postrider_webhooks_v1_UpdateRequest__Output } from '../../../postrider/webhooks/v1/UpdateRequest.ts';

export interface WebhooksClient extends grpc.Client {
  Check(argument: _postrider_webhooks_v1_CheckRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  Check(argument: _postrider_webhooks_v1_CheckRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  Check(argument: _postrider_webhooks_v1_CheckRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  Check(argument: _postrider_webhooks_v1_CheckRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_webhooks_v1_CheckRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_webhooks_v1_CheckRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_webhooks_v1_CheckRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_webhooks_v1_CheckRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  
  Create(argument: _postrider_webhooks_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_webhooks_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_webhooks_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_webhooks_v1_CreateRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_webhooks_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_webhooks_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_webhooks_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_webhooks_v1_CreateRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  
  Delete(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_webhooks_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_webhooks_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_webhooks_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_webhooks_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  Get(argument: _postrider_webhooks_v1_EndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_webhooks_v1_EndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_webhooks_v1_EndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_webhooks_v1_EndpointRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_webhooks_v1_EndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_webhooks_v1_EndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_webhooks_v1_EndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_webhooks_v1_EndpointRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  
  GetDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _postrider_webhooks_v1_DeliveryRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  GetReplay(argument: _postrider_webhooks_v1_GetReplayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  GetReplay(argument: _postrider_webhooks_v1_GetReplayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  GetReplay(argument: _postrider_webhooks_v1_GetReplayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  GetReplay(argument: _postrider_webhooks_v1_GetReplayRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  getReplay(argument: _postrider_webhooks_v1_GetReplayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  getReplay(argument: _postrider_webhooks_v1_GetReplayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  getReplay(argument: _postrider_webhooks_v1_GetReplayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  getReplay(argument: _postrider_webhooks_v1_GetReplayRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  
  List(argument: _postrider_webhooks_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_webhooks_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_webhooks_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_webhooks_v1_ListRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_webhooks_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_webhooks_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_webhooks_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_webhooks_v1_ListRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ListReply__Output>): grpc.ClientUnaryCall;
  
  ListDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _postrider_webhooks_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ListDeliveriesReply__Output>): grpc.ClientUnaryCall;
  
  Redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  Redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  Redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  Redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _postrider_webhooks_v1_RedeliverRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  Replay(argument: _postrider_webhooks_v1_ReplayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  Replay(argument: _postrider_webhooks_v1_ReplayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  Replay(argument: _postrider_webhooks_v1_ReplayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  Replay(argument: _postrider_webhooks_v1_ReplayRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  replay(argument: _postrider_webhooks_v1_ReplayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  replay(argument: _postrider_webhooks_v1_ReplayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  replay(argument: _postrider_webhooks_v1_ReplayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  replay(argument: _postrider_webhooks_v1_ReplayRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_ReplayState__Output>): grpc.ClientUnaryCall;
  
  RotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _postrider_webhooks_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  
  Test(argument: _postrider_webhooks_v1_TestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  Test(argument: _postrider_webhooks_v1_TestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  Test(argument: _postrider_webhooks_v1_TestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  Test(argument: _postrider_webhooks_v1_TestRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  test(argument: _postrider_webhooks_v1_TestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  test(argument: _postrider_webhooks_v1_TestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  test(argument: _postrider_webhooks_v1_TestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  test(argument: _postrider_webhooks_v1_TestRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  Update(argument: _postrider_webhooks_v1_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_webhooks_v1_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_webhooks_v1_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_webhooks_v1_UpdateRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_webhooks_v1_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_webhooks_v1_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_webhooks_v1_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_webhooks_v1_UpdateRequest, callback: grpc.requestCallback<_postrider_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  
}

export interface WebhooksHandlers extends grpc.UntypedServiceImplementation {
  Check: grpc.handleUnaryCall<_postrider_webhooks_v1_CheckRequest__Output, _postrider_webhooks_v1_CheckReply>;
  
  Create: grpc.handleUnaryCall<_postrider_webhooks_v1_CreateRequest__Output, _postrider_webhooks_v1_EndpointWithSecret>;
  
  Delete: grpc.handleUnaryCall<_postrider_webhooks_v1_ChangeRequest__Output, _postrider_webhooks_v1_Nothing>;
  
  Get: grpc.handleUnaryCall<_postrider_webhooks_v1_EndpointRequest__Output, _postrider_webhooks_v1_Endpoint>;
  
  GetDelivery: grpc.handleUnaryCall<_postrider_webhooks_v1_DeliveryRequest__Output, _postrider_webhooks_v1_Delivery>;
  
  GetReplay: grpc.handleUnaryCall<_postrider_webhooks_v1_GetReplayRequest__Output, _postrider_webhooks_v1_ReplayState>;
  
  List: grpc.handleUnaryCall<_postrider_webhooks_v1_ListRequest__Output, _postrider_webhooks_v1_ListReply>;
  
  ListDeliveries: grpc.handleUnaryCall<_postrider_webhooks_v1_ListDeliveriesRequest__Output, _postrider_webhooks_v1_ListDeliveriesReply>;
  
  Redeliver: grpc.handleUnaryCall<_postrider_webhooks_v1_RedeliverRequest__Output, _postrider_webhooks_v1_Delivery>;
  
  Replay: grpc.handleUnaryCall<_postrider_webhooks_v1_ReplayRequest__Output, _postrider_webhooks_v1_ReplayState>;
  
  RotateSecret: grpc.handleUnaryCall<_postrider_webhooks_v1_ChangeRequest__Output, _postrider_webhooks_v1_EndpointWithSecret>;
  
  Test: grpc.handleUnaryCall<_postrider_webhooks_v1_TestRequest__Output, _postrider_webhooks_v1_Delivery>;
  
  Update: grpc.handleUnaryCall<_postrider_webhooks_v1_UpdateRequest__Output, _postrider_webhooks_v1_Endpoint>;
  
}

export interface WebhooksDefinition extends grpc.ServiceDefinition {
  Check: MethodDefinition<_postrider_webhooks_v1_CheckRequest, _postrider_webhooks_v1_CheckReply, _postrider_webhooks_v1_CheckRequest__Output, _postrider_webhooks_v1_CheckReply__Output>
  Create: MethodDefinition<_postrider_webhooks_v1_CreateRequest, _postrider_webhooks_v1_EndpointWithSecret, _postrider_webhooks_v1_CreateRequest__Output, _postrider_webhooks_v1_EndpointWithSecret__Output>
  Delete: MethodDefinition<_postrider_webhooks_v1_ChangeRequest, _postrider_webhooks_v1_Nothing, _postrider_webhooks_v1_ChangeRequest__Output, _postrider_webhooks_v1_Nothing__Output>
  Get: MethodDefinition<_postrider_webhooks_v1_EndpointRequest, _postrider_webhooks_v1_Endpoint, _postrider_webhooks_v1_EndpointRequest__Output, _postrider_webhooks_v1_Endpoint__Output>
  GetDelivery: MethodDefinition<_postrider_webhooks_v1_DeliveryRequest, _postrider_webhooks_v1_Delivery, _postrider_webhooks_v1_DeliveryRequest__Output, _postrider_webhooks_v1_Delivery__Output>
  GetReplay: MethodDefinition<_postrider_webhooks_v1_GetReplayRequest, _postrider_webhooks_v1_ReplayState, _postrider_webhooks_v1_GetReplayRequest__Output, _postrider_webhooks_v1_ReplayState__Output>
  List: MethodDefinition<_postrider_webhooks_v1_ListRequest, _postrider_webhooks_v1_ListReply, _postrider_webhooks_v1_ListRequest__Output, _postrider_webhooks_v1_ListReply__Output>
  ListDeliveries: MethodDefinition<_postrider_webhooks_v1_ListDeliveriesRequest, _postrider_webhooks_v1_ListDeliveriesReply, _postrider_webhooks_v1_ListDeliveriesRequest__Output, _postrider_webhooks_v1_ListDeliveriesReply__Output>
  Redeliver: MethodDefinition<_postrider_webhooks_v1_RedeliverRequest, _postrider_webhooks_v1_Delivery, _postrider_webhooks_v1_RedeliverRequest__Output, _postrider_webhooks_v1_Delivery__Output>
  Replay: MethodDefinition<_postrider_webhooks_v1_ReplayRequest, _postrider_webhooks_v1_ReplayState, _postrider_webhooks_v1_ReplayRequest__Output, _postrider_webhooks_v1_ReplayState__Output>
  RotateSecret: MethodDefinition<_postrider_webhooks_v1_ChangeRequest, _postrider_webhooks_v1_EndpointWithSecret, _postrider_webhooks_v1_ChangeRequest__Output, _postrider_webhooks_v1_EndpointWithSecret__Output>
  Test: MethodDefinition<_postrider_webhooks_v1_TestRequest, _postrider_webhooks_v1_Delivery, _postrider_webhooks_v1_TestRequest__Output, _postrider_webhooks_v1_Delivery__Output>
  Update: MethodDefinition<_postrider_webhooks_v1_UpdateRequest, _postrider_webhooks_v1_Endpoint, _postrider_webhooks_v1_UpdateRequest__Output, _postrider_webhooks_v1_Endpoint__Output>
}
