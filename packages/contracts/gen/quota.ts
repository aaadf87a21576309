import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { CommitRequest as _postrider_quota_v1_CommitRequest, CommitRequest__Output as _postrider_quota_v1_CommitRequest__Output } from './postrider/quota/v1/CommitRequest.ts';
import type { Day as _postrider_quota_v1_Day, Day__Output as _postrider_quota_v1_Day__Output } from './postrider/quota/v1/Day.ts';
import type { Limits as _postrider_quota_v1_Limits, Limits__Output as _postrider_quota_v1_Limits__Output } from './postrider/quota/v1/Limits.ts';
import type { LimitsRequest as _postrider_quota_v1_LimitsRequest, LimitsRequest__Output as _postrider_quota_v1_LimitsRequest__Output } from './postrider/quota/v1/LimitsRequest.ts';
import type { ListPendingRequest as _postrider_quota_v1_ListPendingRequest, ListPendingRequest__Output as _postrider_quota_v1_ListPendingRequest__Output } from './postrider/quota/v1/ListPendingRequest.ts';
import type { Meter as _postrider_quota_v1_Meter, Meter__Output as _postrider_quota_v1_Meter__Output } from './postrider/quota/v1/Meter.ts';
import type { Nothing as _postrider_quota_v1_Nothing, Nothing__Output as _postrider_quota_v1_Nothing__Output } from './postrider/quota/v1/Nothing.ts';
import type { PendingList as _postrider_quota_v1_PendingList, PendingList__Output as _postrider_quota_v1_PendingList__Output } from './postrider/quota/v1/PendingList.ts';
import type { QuotaClient as _postrider_quota_v1_QuotaClient, QuotaDefinition as _postrider_quota_v1_QuotaDefinition } from './postrider/quota/v1/Quota.ts';
import type { ReleaseRequest as _postrider_quota_v1_ReleaseRequest, ReleaseRequest__Output as _postrider_quota_v1_ReleaseRequest__Output } from './postrider/quota/v1/ReleaseRequest.ts';
import type { ReserveRequest as _postrider_quota_v1_ReserveRequest, ReserveRequest__Output as _postrider_quota_v1_ReserveRequest__Output } from './postrider/quota/v1/ReserveRequest.ts';
import type { SetLimitsRequest as _postrider_quota_v1_SetLimitsRequest, SetLimitsRequest__Output as _postrider_quota_v1_SetLimitsRequest__Output } from './postrider/quota/v1/SetLimitsRequest.ts';
import type { SettleReply as _postrider_quota_v1_SettleReply, SettleReply__Output as _postrider_quota_v1_SettleReply__Output } from './postrider/quota/v1/SettleReply.ts';
import type { SettleRequest as _postrider_quota_v1_SettleRequest, SettleRequest__Output as _postrider_quota_v1_SettleRequest__Output } from './postrider/quota/v1/SettleRequest.ts';
import type { Standing as _postrider_quota_v1_Standing, Standing__Output as _postrider_quota_v1_Standing__Output } from './postrider/quota/v1/Standing.ts';
import type { Usage as _postrider_quota_v1_Usage, Usage__Output as _postrider_quota_v1_Usage__Output } from './postrider/quota/v1/Usage.ts';
import type { UsageRequest as _postrider_quota_v1_UsageRequest, UsageRequest__Output as _postrider_quota_v1_UsageRequest__Output } from './postrider/quota/v1/UsageRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    quota: {
      v1: {
        CommitRequest: MessageTypeDefinition<_postrider_quota_v1_CommitRequest, _postrider_quota_v1_CommitRequest__Output>
        Day: MessageTypeDefinition<_postrider_quota_v1_Day, _postrider_quota_v1_Day__Output>
        Limits: MessageTypeDefinition<_postrider_quota_v1_Limits, _postrider_quota_v1_Limits__Output>
        LimitsRequest: MessageTypeDefinition<_postrider_quota_v1_LimitsRequest, _postrider_quota_v1_LimitsRequest__Output>
        ListPendingRequest: MessageTypeDefinition<_postrider_quota_v1_ListPendingRequest, _postrider_quota_v1_ListPendingRequest__Output>
        Meter: MessageTypeDefinition<_postrider_quota_v1_Meter, _postrider_quota_v1_Meter__Output>
        Nothing: MessageTypeDefinition<_postrider_quota_v1_Nothing, _postrider_quota_v1_Nothing__Output>
        PendingList: MessageTypeDefinition<_postrider_quota_v1_PendingList, _postrider_quota_v1_PendingList__Output>
        Quota: SubtypeConstructor<typeof grpc.Client, _postrider_quota_v1_QuotaClient> & { service: _postrider_quota_v1_QuotaDefinition }
        ReleaseRequest: MessageTypeDefinition<_postrider_quota_v1_ReleaseRequest, _postrider_quota_v1_ReleaseRequest__Output>
        ReserveRequest: MessageTypeDefinition<_postrider_quota_v1_ReserveRequest, _postrider_quota_v1_ReserveRequest__Output>
        SetLimitsRequest: MessageTypeDefinition<_postrider_quota_v1_SetLimitsRequest, _postrider_quota_v1_SetLimitsRequest__Output>
        SettleReply: MessageTypeDefinition<_postrider_quota_v1_SettleReply, _postrider_quota_v1_SettleReply__Output>
        SettleRequest: MessageTypeDefinition<_postrider_quota_v1_SettleRequest, _postrider_quota_v1_SettleRequest__Output>
        Standing: MessageTypeDefinition<_postrider_quota_v1_Standing, _postrider_quota_v1_Standing__Output>
        Usage: MessageTypeDefinition<_postrider_quota_v1_Usage, _postrider_quota_v1_Usage__Output>
        UsageRequest: MessageTypeDefinition<_postrider_quota_v1_UsageRequest, _postrider_quota_v1_UsageRequest__Output>
      }
    }
  }
}

