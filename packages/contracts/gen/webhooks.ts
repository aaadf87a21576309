import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Attempt as _postrider_webhooks_v1_Attempt, Attempt__Output as _postrider_webhooks_v1_Attempt__Output } from './postrider/webhooks/v1/Attempt.ts';
import type { ChangeRequest as _postrider_webhooks_v1_ChangeRequest, ChangeRequest__Output as _postrider_webhooks_v1_ChangeRequest__Output } from './postrider/webhooks/v1/ChangeRequest.ts';
import type { CheckReply as _postrider_webhooks_v1_CheckReply, CheckReply__Output as _postrider_webhooks_v1_CheckReply__Output } from './postrider/webhooks/v1/CheckReply.ts';
import type { CheckRequest as _postrider_webhooks_v1_CheckRequest, CheckRequest__Output as _postrider_webhooks_v1_CheckRequest__Output } from './postrider/webhooks/v1/CheckRequest.ts';
import type { CreateRequest as _postrider_webhooks_v1_CreateRequest, CreateRequest__Output as _postrider_webhooks_v1_CreateRequest__Output } from './postrider/webhooks/v1/CreateRequest.ts';
import type { Delivery as _postrider_webhooks_v1_Delivery, Delivery__Output as _postrider_webhooks_v1_Delivery__Output } from './postrider/webhooks/v1/Delivery.ts';
import type { DeliveryRequest as _postrider_webhooks_v1_DeliveryRequest, DeliveryRequest__Output as _postrider_webhooks_v1_DeliveryRequest__Output } from './postrider/webhooks/v1/DeliveryRequest.ts';
import type { Endpoint as _postrider_webhooks_v1_Endpoint, Endpoint__Output as _postrider_webhooks_v1_Endpoint__Output } from './postrider/webhooks/v1/Endpoint.ts';
import type { EndpointRequest as _postrider_webhooks_v1_EndpointRequest, EndpointRequest__Output as _postrider_webhooks_v1_EndpointRequest__Output } from './postrider/webhooks/v1/EndpointRequest.ts';
import type { EndpointWithSecret as _postrider_webhooks_v1_EndpointWithSecret, EndpointWithSecret__Output as _postrider_webhooks_v1_EndpointWithSecret__Output } from './postrider/webhooks/v1/EndpointWithSecret.ts';
import type { Events as _postrider_webhooks_v1_Events, Events__Output as _postrider_webhooks_v1_Events__Output } from './postrider/webhooks/v1/Events.ts';
import type { GetReplayRequest as _postrider_webhooks_v1_GetReplayRequest, GetReplayRequest__Output as _postrider_webhooks_v1_GetReplayRequest__Output } from './postrider/webhooks/v1/GetReplayRequest.ts';
import type { ListDeliveriesReply as _postrider_webhooks_v1_ListDeliveriesReply, ListDeliveriesReply__Output as _postrider_webhooks_v1_ListDeliveriesReply__Output } from './postrider/webhooks/v1/ListDeliveriesReply.ts';
import type { ListDeliveriesRequest as _postrider_webhooks_v1_ListDeliveriesRequest, ListDeliveriesRequest__Output as _postrider_webhooks_v1_ListDeliveriesRequest__Output } from './postrider/webhooks/v1/ListDeliveriesRequest.ts';
import type { ListReply as _postrider_webhooks_v1_ListReply, ListReply__Output as _postrider_webhooks_v1_ListReply__Output } from './postrider/webhooks/v1/ListReply.ts';
import type { ListRequest as _postrider_webhooks_v1_ListRequest, ListRequest__Output as _postrider_webhooks_v1_ListRequest__Output } from './postrider/webhooks/v1/ListRequest.ts';
import type { Nothing as _postrider_webhooks_v1_Nothing, Nothing__Output as _postrider_webhooks_v1_Nothing__Output } from './postrider/webhooks/v1/Nothing.ts';
import type { Problem as _postrider_webhooks_v1_Problem, Problem__Output as _postrider_webhooks_v1_Problem__Output } from './postrider/webhooks/v1/Problem.ts';
import type { RedeliverRequest as _postrider_webhooks_v1_RedeliverRequest, RedeliverRequest__Output as _postrider_webhooks_v1_RedeliverRequest__Output } from './postrider/webhooks/v1/RedeliverRequest.ts';
import type { ReplayRequest as _postrider_webhooks_v1_ReplayRequest, ReplayRequest__Output as _postrider_webhooks_v1_ReplayRequest__Output } from './postrider/webhooks/v1/ReplayRequest.ts';
import type { ReplayState as _postrider_webhooks_v1_ReplayState, ReplayState__Output as _postrider_webhooks_v1_ReplayState__Output } from './postrider/webhooks/v1/ReplayState.ts';
import type { Request as _postrider_webhooks_v1_Request, Request__Output as _postrider_webhooks_v1_Request__Output } from './postrider/webhooks/v1/Request.ts';
import type { Response as _postrider_webhooks_v1_Response, Response__Output as _postrider_webhooks_v1_Response__Output } from './postrider/webhooks/v1/Response.ts';
import type { TestRequest as _postrider_webhooks_v1_TestRequest, TestRequest__Output as _postrider_webhooks_v1_TestRequest__Output } from './postrider/webhooks/v1/TestRequest.ts';
import type { UpdateRequest as _postrider_webhooks_v1_UpdateRequest, UpdateRequest__Output as _postrider_webhooks_v1_UpdateRequest__Output } from './postrider/webhooks/v1/UpdateRequest.ts';
import type { WebhooksClient as _postrider_webhooks_v1_WebhooksClient, WebhooksDefinition as _postrider_webhooks_v1_WebhooksDefinition } from './postrider/webhooks/v1/Webhooks.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    webhooks: {
      v1: {
        Attempt: MessageTypeDefinition<_postrider_webhooks_v1_Attempt, _postrider_webhooks_v1_Attempt__Output>
        ChangeRequest: MessageTypeDefinition<_postrider_webhooks_v1_ChangeRequest, _postrider_webhooks_v1_ChangeRequest__Output>
        CheckReply: MessageTypeDefinition<_postrider_webhooks_v1_CheckReply, _postrider_webhooks_v1_CheckReply__Output>
        CheckRequest: MessageTypeDefinition<_postrider_webhooks_v1_CheckRequest, _postrider_webhooks_v1_CheckRequest__Output>
        CreateRequest: MessageTypeDefinition<_postrider_webhooks_v1_CreateRequest, _postrider_webhooks_v1_CreateRequest__Output>
        Delivery: MessageTypeDefinition<_postrider_webhooks_v1_Delivery, _postrider_webhooks_v1_Delivery__Output>
        DeliveryRequest: MessageTypeDefinition<_postrider_webhooks_v1_DeliveryRequest, _postrider_webhooks_v1_DeliveryRequest__Output>
        Endpoint: MessageTypeDefinition<_postrider_webhooks_v1_Endpoint, _postrider_webhooks_v1_Endpoint__Output>
        EndpointRequest: MessageTypeDefinition<_postrider_webhooks_v1_EndpointRequest, _postrider_webhooks_v1_EndpointRequest__Output>
        EndpointWithSecret: MessageTypeDefinition<_postrider_webhooks_v1_EndpointWithSecret, _postrider_webhooks_v1_EndpointWithSecret__Output>
        Events: MessageTypeDefinition<_postrider_webhooks_v1_Events, _postrider_webhooks_v1_Events__Output>
        GetReplayRequest: MessageTypeDefinition<_postrider_webhooks_v1_GetReplayRequest, _postrider_webhooks_v1_GetReplayRequest__Output>
        ListDeliveriesReply: MessageTypeDefinition<_postrider_webhooks_v1_ListDeliveriesReply, _postrider_webhooks_v1_ListDeliveriesReply__Output>
        ListDeliveriesRequest: MessageTypeDefinition<_postrider_webhooks_v1_ListDeliveriesRequest, _postrider_webhooks_v1_ListDeliveriesRequest__Output>
        ListReply: MessageTypeDefinition<_postrider_webhooks_v1_ListReply, _postrider_webhooks_v1_ListReply__Output>
        ListRequest: MessageTypeDefinition<_postrider_webhooks_v1_ListRequest, _postrider_webhooks_v1_ListRequest__Output>
        Nothing: MessageTypeDefinition<_postrider_webhooks_v1_Nothing, _postrider_webhooks_v1_Nothing__Output>
        Problem: MessageTypeDefinition<_postrider_webhooks_v1_Problem, _postrider_webhooks_v1_Problem__Output>
        RedeliverRequest: MessageTypeDefinition<_postrider_webhooks_v1_RedeliverRequest, _postrider_webhooks_v1_RedeliverRequest__Output>
        ReplayRequest: MessageTypeDefinition<_postrider_webhooks_v1_ReplayRequest, _postrider_webhooks_v1_ReplayRequest__Output>
        ReplayState: MessageTypeDefinition<_postrider_webhooks_v1_ReplayState, _postrider_webhooks_v1_ReplayState__Output>
        Request: MessageTypeDefinition<_postrider_webhooks_v1_Request, _postrider_webhooks_v1_Request__Output>
        Response: MessageTypeDefinition<_postrider_webhooks_v1_Response, _postrider_webhooks_v1_Response__Output>
        TestRequest: MessageTypeDefinition<_postrider_webhooks_v1_TestRequest, _postrider_webhooks_v1_TestRequest__Output>
        UpdateRequest: MessageTypeDefinition<_postrider_webhooks_v1_UpdateRequest, _postrider_webhooks_v1_UpdateRequest__Output>
        Webhooks: SubtypeConstructor<typeof grpc.Client, _postrider_webhooks_v1_WebhooksClient> & { service: _postrider_webhooks_v1_WebhooksDefinition }
      }
    }
  }
}

