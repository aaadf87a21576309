import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AdjustRequest as _postrider_quota_v1_AdjustRequest, AdjustRequest__Output as _postrider_quota_v1_AdjustRequest__Output } from './postrider/quota/v1/AdjustRequest.ts';
import type { Adjustment as _postrider_quota_v1_Adjustment, Adjustment__Output as _postrider_quota_v1_Adjustment__Output } from './postrider/quota/v1/Adjustment.ts';
import type { ChangePlanRequest as _postrider_quota_v1_ChangePlanRequest, ChangePlanRequest__Output as _postrider_quota_v1_ChangePlanRequest__Output } from './postrider/quota/v1/ChangePlanRequest.ts';
import type { CommitRequest as _postrider_quota_v1_CommitRequest, CommitRequest__Output as _postrider_quota_v1_CommitRequest__Output } from './postrider/quota/v1/CommitRequest.ts';
import type { Day as _postrider_quota_v1_Day, Day__Output as _postrider_quota_v1_Day__Output } from './postrider/quota/v1/Day.ts';
import type { Invoice as _postrider_quota_v1_Invoice, Invoice__Output as _postrider_quota_v1_Invoice__Output } from './postrider/quota/v1/Invoice.ts';
import type { InvoiceLine as _postrider_quota_v1_InvoiceLine, InvoiceLine__Output as _postrider_quota_v1_InvoiceLine__Output } from './postrider/quota/v1/InvoiceLine.ts';
import type { InvoiceList as _postrider_quota_v1_InvoiceList, InvoiceList__Output as _postrider_quota_v1_InvoiceList__Output } from './postrider/quota/v1/InvoiceList.ts';
import type { InvoiceRequest as _postrider_quota_v1_InvoiceRequest, InvoiceRequest__Output as _postrider_quota_v1_InvoiceRequest__Output } from './postrider/quota/v1/InvoiceRequest.ts';
import type { Limits as _postrider_quota_v1_Limits, Limits__Output as _postrider_quota_v1_Limits__Output } from './postrider/quota/v1/Limits.ts';
import type { LimitsRequest as _postrider_quota_v1_LimitsRequest, LimitsRequest__Output as _postrider_quota_v1_LimitsRequest__Output } from './postrider/quota/v1/LimitsRequest.ts';
import type { Link as _postrider_quota_v1_Link, Link__Output as _postrider_quota_v1_Link__Output } from './postrider/quota/v1/Link.ts';
import type { ListInvoicesRequest as _postrider_quota_v1_ListInvoicesRequest, ListInvoicesRequest__Output as _postrider_quota_v1_ListInvoicesRequest__Output } from './postrider/quota/v1/ListInvoicesRequest.ts';
import type { ListPendingRequest as _postrider_quota_v1_ListPendingRequest, ListPendingRequest__Output as _postrider_quota_v1_ListPendingRequest__Output } from './postrider/quota/v1/ListPendingRequest.ts';
import type { Meter as _postrider_quota_v1_Meter, Meter__Output as _postrider_quota_v1_Meter__Output } from './postrider/quota/v1/Meter.ts';
import type { Nothing as _postrider_quota_v1_Nothing, Nothing__Output as _postrider_quota_v1_Nothing__Output } from './postrider/quota/v1/Nothing.ts';
import type { PaymentEventRequest as _postrider_quota_v1_PaymentEventRequest, PaymentEventRequest__Output as _postrider_quota_v1_PaymentEventRequest__Output } from './postrider/quota/v1/PaymentEventRequest.ts';
import type { PaymentProvider as _postrider_quota_v1_PaymentProvider, PaymentProvider__Output as _postrider_quota_v1_PaymentProvider__Output } from './postrider/quota/v1/PaymentProvider.ts';
import type { PendingList as _postrider_quota_v1_PendingList, PendingList__Output as _postrider_quota_v1_PendingList__Output } from './postrider/quota/v1/PendingList.ts';
import type { PlanPreview as _postrider_quota_v1_PlanPreview, PlanPreview__Output as _postrider_quota_v1_PlanPreview__Output } from './postrider/quota/v1/PlanPreview.ts';
import type { PlanState as _postrider_quota_v1_PlanState, PlanState__Output as _postrider_quota_v1_PlanState__Output } from './postrider/quota/v1/PlanState.ts';
import type { PortalRequest as _postrider_quota_v1_PortalRequest, PortalRequest__Output as _postrider_quota_v1_PortalRequest__Output } from './postrider/quota/v1/PortalRequest.ts';
import type { PreviewPlanRequest as _postrider_quota_v1_PreviewPlanRequest, PreviewPlanRequest__Output as _postrider_quota_v1_PreviewPlanRequest__Output } from './postrider/quota/v1/PreviewPlanRequest.ts';
import type { QuotaClient as _postrider_quota_v1_QuotaClient, QuotaDefinition as _postrider_quota_v1_QuotaDefinition } from './postrider/quota/v1/Quota.ts';
import type { ReleaseRequest as _postrider_quota_v1_ReleaseRequest, ReleaseRequest__Output as _postrider_quota_v1_ReleaseRequest__Output } from './postrider/quota/v1/ReleaseRequest.ts';
import type { ReserveRequest as _postrider_quota_v1_ReserveRequest, ReserveRequest__Output as _postrider_quota_v1_ReserveRequest__Output } from './postrider/quota/v1/ReserveRequest.ts';
import type { SetInvoiceStatusRequest as _postrider_quota_v1_SetInvoiceStatusRequest, SetInvoiceStatusRequest__Output as _postrider_quota_v1_SetInvoiceStatusRequest__Output } from './postrider/quota/v1/SetInvoiceStatusRequest.ts';
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
        AdjustRequest: MessageTypeDefinition<_postrider_quota_v1_AdjustRequest, _postrider_quota_v1_AdjustRequest__Output>
        Adjustment: MessageTypeDefinition<_postrider_quota_v1_Adjustment, _postrider_quota_v1_Adjustment__Output>
        ChangePlanRequest: MessageTypeDefinition<_postrider_quota_v1_ChangePlanRequest, _postrider_quota_v1_ChangePlanRequest__Output>
        CommitRequest: MessageTypeDefinition<_postrider_quota_v1_CommitRequest, _postrider_quota_v1_CommitRequest__Output>
        Day: MessageTypeDefinition<_postrider_quota_v1_Day, _postrider_quota_v1_Day__Output>
        Invoice: MessageTypeDefinition<_postrider_quota_v1_Invoice, _postrider_quota_v1_Invoice__Output>
        InvoiceLine: MessageTypeDefinition<_postrider_quota_v1_InvoiceLine, _postrider_quota_v1_InvoiceLine__Output>
        InvoiceList: MessageTypeDefinition<_postrider_quota_v1_InvoiceList, _postrider_quota_v1_InvoiceList__Output>
        InvoiceRequest: MessageTypeDefinition<_postrider_quota_v1_InvoiceRequest, _postrider_quota_v1_InvoiceRequest__Output>
        Limits: MessageTypeDefinition<_postrider_quota_v1_Limits, _postrider_quota_v1_Limits__Output>
        LimitsRequest: MessageTypeDefinition<_postrider_quota_v1_LimitsRequest, _postrider_quota_v1_LimitsRequest__Output>
        Link: MessageTypeDefinition<_postrider_quota_v1_Link, _postrider_quota_v1_Link__Output>
        ListInvoicesRequest: MessageTypeDefinition<_postrider_quota_v1_ListInvoicesRequest, _postrider_quota_v1_ListInvoicesRequest__Output>
        ListPendingRequest: MessageTypeDefinition<_postrider_quota_v1_ListPendingRequest, _postrider_quota_v1_ListPendingRequest__Output>
        Meter: MessageTypeDefinition<_postrider_quota_v1_Meter, _postrider_quota_v1_Meter__Output>
        Nothing: MessageTypeDefinition<_postrider_quota_v1_Nothing, _postrider_quota_v1_Nothing__Output>
        PaymentEventRequest: MessageTypeDefinition<_postrider_quota_v1_PaymentEventRequest, _postrider_quota_v1_PaymentEventRequest__Output>
        PaymentProvider: MessageTypeDefinition<_postrider_quota_v1_PaymentProvider, _postrider_quota_v1_PaymentProvider__Output>
        PendingList: MessageTypeDefinition<_postrider_quota_v1_PendingList, _postrider_quota_v1_PendingList__Output>
        PlanPreview: MessageTypeDefinition<_postrider_quota_v1_PlanPreview, _postrider_quota_v1_PlanPreview__Output>
        PlanState: MessageTypeDefinition<_postrider_quota_v1_PlanState, _postrider_quota_v1_PlanState__Output>
        PortalRequest: MessageTypeDefinition<_postrider_quota_v1_PortalRequest, _postrider_quota_v1_PortalRequest__Output>
        PreviewPlanRequest: MessageTypeDefinition<_postrider_quota_v1_PreviewPlanRequest, _postrider_quota_v1_PreviewPlanRequest__Output>
        Quota: SubtypeConstructor<typeof grpc.Client, _postrider_quota_v1_QuotaClient> & { service: _postrider_quota_v1_QuotaDefinition }
        ReleaseRequest: MessageTypeDefinition<_postrider_quota_v1_ReleaseRequest, _postrider_quota_v1_ReleaseRequest__Output>
        ReserveRequest: MessageTypeDefinition<_postrider_quota_v1_ReserveRequest, _postrider_quota_v1_ReserveRequest__Output>
        SetInvoiceStatusRequest: MessageTypeDefinition<_postrider_quota_v1_SetInvoiceStatusRequest, _postrider_quota_v1_SetInvoiceStatusRequest__Output>
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

