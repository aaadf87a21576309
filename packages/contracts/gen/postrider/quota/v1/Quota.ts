// Original file: protos/postrider/quota/v1/quota.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CommitRequest as _postrider_quota_v1_CommitRequest, CommitRequest__Output as _postrider_quota_v1_CommitRequest__Output } from '../../../postrider/quota/v1/CommitRequest.ts';
import type { Limits as _postrider_quota_v1_Limits, Limits__Output as _postrider_quota_v1_Limits__Output } from '../../../postrider/quota/v1/Limits.ts';
import type { LimitsRequest as _postrider_quota_v1_LimitsRequest, LimitsRequest__Output as _postrider_quota_v1_LimitsRequest__Output } from '../../../postrider/quota/v1/LimitsRequest.ts';
import type { ListPendingRequest as _postrider_quota_v1_ListPendingRequest, ListPendingRequest__Output as _postrider_quota_v1_ListPendingRequest__Output } from '../../../postrider/quota/v1/ListPendingRequest.ts';
import type { Nothing as _postrider_quota_v1_Nothing, Nothing__Output as _postrider_quota_v1_Nothing__Output } from '../../../postrider/quota/v1/Nothing.ts';
import type { PendingList as _postrider_quota_v1_PendingList, PendingList__Output as _postrider_quota_v1_PendingList__Output } from '../../../postrider/quota/v1/PendingList.ts';
import type { ReleaseRequest as _postrider_quota_v1_ReleaseRequest, ReleaseRequest__Output as _postrider_quota_v1_ReleaseRequest__Output } from '../../../postrider/quota/v1/ReleaseRequest.ts';
import type { ReserveRequest as _postrider_quota_v1_ReserveRequest, ReserveRequest__Output as _postrider_quota_v1_ReserveRequest__Output } from '../../../postrider/quota/v1/ReserveRequest.ts';
import type { SetLimitsRequest as _postrider_quota_v1_SetLimitsRequest, SetLimitsRequest__Output as _postrider_quota_v1_SetLimitsRequest__Output } from '../../../postrider/quota/v1/SetLimitsRequest.ts';
import type { SettleReply as _postrider_quota_v1_SettleReply, SettleReply__Output as _postrider_quota_v1_SettleReply__Output } from '../../../postrider/quota/v1/SettleReply.ts';
import type { SettleRequest as _postrider_quota_v1_SettleRequest, SettleRequest__Output as _postrider_quota_v1_SettleRequest__Output } from '../../../postrider/quota/v1/SettleRequest.ts';
import type { Standing as _postrider_quota_v1_Standing, Standing__Output as _postrider_quota_v1_Standing__Output } from '../../../postrider/quota/v1/Standing.ts';
import type { Usage as _postrider_quota_v1_Usage, Usage__Output as _postrider_quota_v1_Usage__Output } from '../../../postrider/quota/v1/Usage.ts';
import type { UsageRequest as _postrider_quota_v1_UsageRequest, UsageRequest__Output as _postrider_quota_v1_UsageRequest__Output } from '../../../postrider/quota/v1/UsageRequest.ts';

export interface QuotaClient extends grpc.Client {
  Commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Commit(argument: _postrider_quota_v1_CommitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Commit(argument: _postrider_quota_v1_CommitRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  
  GetUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _postrider_quota_v1_UsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _postrider_quota_v1_UsageRequest, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  
  Release(argument: _postrider_quota_v1_ReleaseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Release(argument: _postrider_quota_v1_ReleaseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Release(argument: _postrider_quota_v1_ReleaseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Release(argument: _postrider_quota_v1_ReleaseRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  release(argument: _postrider_quota_v1_ReleaseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  release(argument: _postrider_quota_v1_ReleaseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  release(argument: _postrider_quota_v1_ReleaseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  release(argument: _postrider_quota_v1_ReleaseRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  Reserve(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  Reserve(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  Reserve(argument: _postrider_quota_v1_ReserveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  Reserve(argument: _postrider_quota_v1_ReserveRequest, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  reserve(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  reserve(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  reserve(argument: _postrider_quota_v1_ReserveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  reserve(argument: _postrider_quota_v1_ReserveRequest, callback: grpc.requestCallback<_postrider_quota_v1_Standing__Output>): grpc.ClientUnaryCall;
  
  SetLimits(argument: _postrider_quota_v1_SetLimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  SetLimits(argument: _postrider_quota_v1_SetLimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  SetLimits(argument: _postrider_quota_v1_SetLimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  SetLimits(argument: _postrider_quota_v1_SetLimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  setLimits(argument: _postrider_quota_v1_SetLimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  setLimits(argument: _postrider_quota_v1_SetLimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  setLimits(argument: _postrider_quota_v1_SetLimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  setLimits(argument: _postrider_quota_v1_SetLimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  
  Settle(argument: _postrider_quota_v1_SettleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  Settle(argument: _postrider_quota_v1_SettleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  Settle(argument: _postrider_quota_v1_SettleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  Settle(argument: _postrider_quota_v1_SettleRequest, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  settle(argument: _postrider_quota_v1_SettleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  settle(argument: _postrider_quota_v1_SettleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  settle(argument: _postrider_quota_v1_SettleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  settle(argument: _postrider_quota_v1_SettleRequest, callback: grpc.requestCallback<_postrider_quota_v1_SettleReply__Output>): grpc.ClientUnaryCall;
  
}

export interface QuotaHandlers extends grpc.UntypedServiceImplementation {
  Commit: grpc.handleUnaryCall<_postrider_quota_v1_CommitRequest__Output, _postrider_quota_v1_Nothing>;
  
  GetLimits: grpc.handleUnaryCall<_postrider_quota_v1_LimitsRequest__Output, _postrider_quota_v1_Limits>;
  
  GetUsage: grpc.handleUnaryCall<_postrider_quota_v1_UsageRequest__Output, _postrider_quota_v1_Usage>;
  
  ListPending: grpc.handleUnaryCall<_postrider_quota_v1_ListPendingRequest__Output, _postrider_quota_v1_PendingList>;
  
  Release: grpc.handleUnaryCall<_postrider_quota_v1_ReleaseRequest__Output, _postrider_quota_v1_Nothing>;
  
  Reserve: grpc.handleUnaryCall<_postrider_quota_v1_ReserveRequest__Output, _postrider_quota_v1_Standing>;
  
  SetLimits: grpc.handleUnaryCall<_postrider_quota_v1_SetLimitsRequest__Output, _postrider_quota_v1_Limits>;
  
  Settle: grpc.handleUnaryCall<_postrider_quota_v1_SettleRequest__Output, _postrider_quota_v1_SettleReply>;
  
}

export interface QuotaDefinition extends grpc.ServiceDefinition {
  Commit: MethodDefinition<_postrider_quota_v1_CommitRequest, _postrider_quota_v1_Nothing, _postrider_quota_v1_CommitRequest__Output, _postrider_quota_v1_Nothing__Output>
  GetLimits: MethodDefinition<_postrider_quota_v1_LimitsRequest, _postrider_quota_v1_Limits, _postrider_quota_v1_LimitsRequest__Output, _postrider_quota_v1_Limits__Output>
  GetUsage: MethodDefinition<_postrider_quota_v1_UsageRequest, _postrider_quota_v1_Usage, _postrider_quota_v1_UsageRequest__Output, _postrider_quota_v1_Usage__Output>
  ListPending: MethodDefinition<_postrider_quota_v1_ListPendingRequest, _postrider_quota_v1_PendingList, _postrider_quota_v1_ListPendingRequest__Output, _postrider_quota_v1_PendingList__Output>
  Release: MethodDefinition<_postrider_quota_v1_ReleaseRequest, _postrider_quota_v1_Nothing, _postrider_quota_v1_ReleaseRequest__Output, _postrider_quota_v1_Nothing__Output>
  Reserve: MethodDefinition<_postrider_quota_v1_ReserveRequest, _postrider_quota_v1_Standing, _postrider_quota_v1_ReserveRequest__Output, _postrider_quota_v1_Standing__Output>
  SetLimits: MethodDefinition<_postrider_quota_v1_SetLimitsRequest, _postrider_quota_v1_Limits, _postrider_quota_v1_SetLimitsRequest__Output, _postrider_quota_v1_Limits__Output>
  Settle: MethodDefinition<_postrider_quota_v1_SettleRequest, _postrider_quota_v1_SettleReply, _postrider_quota_v1_SettleRequest__Output, _postrider_quota_v1_SettleReply__Output>
}
