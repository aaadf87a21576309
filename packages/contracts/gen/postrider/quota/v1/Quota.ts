// Original file: protos/postrider/quota/v1/quota.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AdjustRequest as _postrider_quota_v1_AdjustRequest, AdjustRequest__Output as _postrider_quota_v1_AdjustRequest__Output } from '../../../postrider/quota/v1/AdjustRequest.ts';
import type { Adjustment as _postrider_quota_v1_Adjustment, Adjustment__Output as _postrider_quota_v1_Adjustment__Output } from '../../../postrider/quota/v1/Adjustment.ts';
import type { ChangePlanRequest as _postrider_quota_v1_ChangePlanRequest, ChangePlanRequest__Output as _postrider_quota_v1_ChangePlanRequest__Output } from '../../../postrider/quota/v1/ChangePlanRequest.ts';
import type { CommitRequest as _postrider_quota_v1_CommitRequest, CommitRequest__Output as _postrider_quota_v1_CommitRequest__Output } from '../../../postrider/quota/v1/CommitRequest.ts';
import type { Invoice as _postrider_quota_v1_Invoice, Invoice__Output as _postrider_quota_v1_Invoice__Output } from '../../../postrider/quota/v1/Invoice.ts';
import type { InvoiceList as _postrider_quota_v1_InvoiceList, InvoiceList__Output as _postrider_quota_v1_InvoiceList__Output } from '../../../postrider/quota/v1/InvoiceList.ts';
import type { InvoiceRequest as _postrider_quota_v1_InvoiceRequest, InvoiceRequest__Output as _postrider_quota_v1_InvoiceRequest__Output } from '../../../postrider/quota/v1/InvoiceRequest.ts';
import type { Limits as _postrider_quota_v1_Limits, Limits__Output as _postrider_quota_v1_Limits__Output } from '../../../postrider/quota/v1/Limits.ts';
import type { LimitsRequest as _postrider_quota_v1_LimitsRequest, LimitsRequest__Output as _postrider_quota_v1_LimitsRequest__Output } from '../../../postrider/quota/v1/LimitsRequest.ts';
import type { Link as _postrider_quota_v1_Link, Link__Output as _postrider_quota_v1_Link__Output } from '../../../postrider/quota/v1/Link.ts';
import type { ListInvoicesRequest as _postrider_quota_v1_ListInvoicesRequest, ListInvoicesRequest__Output as _postrider_quota_v1_ListInvoicesRequest__Output } from '../../../postrider/quota/v1/ListInvoicesRequest.ts';
import type { ListPendingRequest as _postrider_quota_v1_ListPendingRequest, ListPendingRequest__Output as _postrider_quota_v1_ListPendingRequest__Output } from '../../../postrider/quota/v1/ListPendingRequest.ts';
import type { Nothing as _postrider_quota_v1_Nothing, Nothing__Output as _postrider_quota_v1_Nothing__Output } from '../../../postrider/quota/v1/Nothing.ts';
import type { PaymentEventRequest as _postrider_quota_v1_PaymentEventRequest, PaymentEventRequest__Output as _postrider_quota_v1_PaymentEventRequest__Output } from '../../../postrider/quota/v1/PaymentEventRequest.ts';
import type { PaymentProvider as _postrider_quota_v1_PaymentProvider, PaymentProvider__Output as _postrider_quota_v1_PaymentProvider__Output } from '../../../postrider/quota/v1/PaymentProvider.ts';
import type { PendingList as _postrider_quota_v1_PendingList, PendingList__Output as _postrider_quota_v1_PendingList__Output } from '../../../postrider/quota/v1/PendingList.ts';
import type { PlanPreview as _postrider_quota_v1_PlanPreview, PlanPreview__Output as _postrider_quota_v1_PlanPreview__Output } from '../../../postrider/quota/v1/PlanPreview.ts';
import type { PlanState as _postrider_quota_v1_PlanState, PlanState__Output as _postrider_quota_v1_PlanState__Output } from '../../../postrider/quota/v1/PlanState.ts';
import type { PortalRequest as _postrider_quota_v1_PortalRequest, PortalRequest__Output as _postrider_quota_v1_PortalRequest__Output } from '../../../postrider/quota/v1/PortalRequest.ts';
import type { PreviewPlanRequest as _postrider_quota_v1_PreviewPlanRequest, PreviewPlanRequest__Output as _postrider_quota_v1_PreviewPlanRequest__Output } from '../../../postrider/quota/v1/PreviewPlanRequest.ts';
import type { ReleaseRequest as _postrider_quota_v1_ReleaseRequest, ReleaseRequest__Output as _postrider_quota_v1_ReleaseRequest__Output } from '../../../postrider/quota/v1/ReleaseRequest.ts';
import type { ReserveRequest as _postrider_quota_v1_ReserveRequest, ReserveRequest__Output as _postrider_quota_v1_ReserveRequest__Output } from '../../../postrider/quota/v1/ReserveRequest.ts';
import type { SetInvoiceStatusRequest as _postrider_quota_v1_SetInvoiceStatusRequest, SetInvoiceStatusRequest__Output as _postrider_quota_v1_SetInvoiceStatusRequest__Output } from '../../../postrider/quota/v1/SetInvoiceStatusRequest.ts';
import type { SetLimitsRequest as _postrider_quota_v1_SetLimitsRequest, SetLimitsRequest__Output as _postrider_quota_v1_SetLimitsRequest__Output } from '../../../postrider/quota/v1/SetLimitsRequest.ts';
import type { SettleReply as _postrider_quota_v1_SettleReply, SettleReply__Output as _postrider_quota_v1_SettleReply__Output } from '../../../postrider/quota/v1/SettleReply.ts';
import type { SettleRequest as _postrider_quota_v1_SettleRequest, SettleRequest__Output as _postrider_quota_v1_SettleRequest__Output } from '../../../postrider/quota/v1/SettleRequest.ts';
import type { Standing as _postrider_quota_v1_Standing, Standing__Output as _postrider_quota_v1_Standing__Output } from '../../../postrider/quota/v1/Standing.ts';
import type { Usage as _postrider_quota_v1_Usage, Usage__Output as _postrider_quota_v1_Usage__Output } from '../../../postrider/quota/v1/Usage.ts';
import type { UsageRequest as _postrider_quota_v1_UsageRequest, UsageRequest__Output as _postrider_quota_v1_UsageRequest__Output } from '../../../postrider/quota/v1/UsageRequest.ts';

export interface QuotaClient extends grpc.Client {
  Adjust(argument: _postrider_quota_v1_AdjustRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  Adjust(argument: _postrider_quota_v1_AdjustRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  Adjust(argument: _postrider_quota_v1_AdjustRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  Adjust(argument: _postrider_quota_v1_AdjustRequest, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  adjust(argument: _postrider_quota_v1_AdjustRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  adjust(argument: _postrider_quota_v1_AdjustRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  adjust(argument: _postrider_quota_v1_AdjustRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  adjust(argument: _postrider_quota_v1_AdjustRequest, callback: grpc.requestCallback<_postrider_quota_v1_Adjustment__Output>): grpc.ClientUnaryCall;
  
  ChangePlan(argument: _postrider_quota_v1_ChangePlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  ChangePlan(argument: _postrider_quota_v1_ChangePlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  ChangePlan(argument: _postrider_quota_v1_ChangePlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  ChangePlan(argument: _postrider_quota_v1_ChangePlanRequest, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  changePlan(argument: _postrider_quota_v1_ChangePlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  changePlan(argument: _postrider_quota_v1_ChangePlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  changePlan(argument: _postrider_quota_v1_ChangePlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  changePlan(argument: _postrider_quota_v1_ChangePlanRequest, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  
  Commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Commit(argument: _postrider_quota_v1_CommitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Commit(argument: _postrider_quota_v1_CommitRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  commit(argument: _postrider_quota_v1_CommitRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  GetInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  GetInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  GetInvoice(argument: _postrider_quota_v1_InvoiceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  GetInvoice(argument: _postrider_quota_v1_InvoiceRequest, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  getInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  getInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  getInvoice(argument: _postrider_quota_v1_InvoiceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  getInvoice(argument: _postrider_quota_v1_InvoiceRequest, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  GetLimits(argument: _postrider_quota_v1_LimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  getLimits(argument: _postrider_quota_v1_LimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_Limits__Output>): grpc.ClientUnaryCall;
  
  GetPaymentProvider(argument: _postrider_quota_v1_Nothing, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  GetPaymentProvider(argument: _postrider_quota_v1_Nothing, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  GetPaymentProvider(argument: _postrider_quota_v1_Nothing, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  GetPaymentProvider(argument: _postrider_quota_v1_Nothing, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  getPaymentProvider(argument: _postrider_quota_v1_Nothing, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  getPaymentProvider(argument: _postrider_quota_v1_Nothing, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  getPaymentProvider(argument: _postrider_quota_v1_Nothing, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  getPaymentProvider(argument: _postrider_quota_v1_Nothing, callback: grpc.requestCallback<_postrider_quota_v1_PaymentProvider__Output>): grpc.ClientUnaryCall;
  
  GetPlan(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _postrider_quota_v1_LimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  GetPlan(argument: _postrider_quota_v1_LimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _postrider_quota_v1_LimitsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _postrider_quota_v1_LimitsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  getPlan(argument: _postrider_quota_v1_LimitsRequest, callback: grpc.requestCallback<_postrider_quota_v1_PlanState__Output>): grpc.ClientUnaryCall;
  
  GetUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _postrider_quota_v1_UsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _postrider_quota_v1_UsageRequest, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _postrider_quota_v1_UsageRequest, callback: grpc.requestCallback<_postrider_quota_v1_Usage__Output>): grpc.ClientUnaryCall;
  
  ListInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  ListInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  ListInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  ListInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  listInvoices(argument: _postrider_quota_v1_ListInvoicesRequest, callback: grpc.requestCallback<_postrider_quota_v1_InvoiceList__Output>): grpc.ClientUnaryCall;
  
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  ListPending(argument: _postrider_quota_v1_ListPendingRequest, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  listPending(argument: _postrider_quota_v1_ListPendingRequest, callback: grpc.requestCallback<_postrider_quota_v1_PendingList__Output>): grpc.ClientUnaryCall;
  
  OpenPortal(argument: _postrider_quota_v1_PortalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  OpenPortal(argument: _postrider_quota_v1_PortalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  OpenPortal(argument: _postrider_quota_v1_PortalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  OpenPortal(argument: _postrider_quota_v1_PortalRequest, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  openPortal(argument: _postrider_quota_v1_PortalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  openPortal(argument: _postrider_quota_v1_PortalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  openPortal(argument: _postrider_quota_v1_PortalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  openPortal(argument: _postrider_quota_v1_PortalRequest, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  
  PayInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  PayInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  PayInvoice(argument: _postrider_quota_v1_InvoiceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  PayInvoice(argument: _postrider_quota_v1_InvoiceRequest, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  payInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  payInvoice(argument: _postrider_quota_v1_InvoiceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  payInvoice(argument: _postrider_quota_v1_InvoiceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  payInvoice(argument: _postrider_quota_v1_InvoiceRequest, callback: grpc.requestCallback<_postrider_quota_v1_Link__Output>): grpc.ClientUnaryCall;
  
  PreviewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  PreviewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  PreviewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  PreviewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  previewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  previewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  previewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  previewPlan(argument: _postrider_quota_v1_PreviewPlanRequest, callback: grpc.requestCallback<_postrider_quota_v1_PlanPreview__Output>): grpc.ClientUnaryCall;
  
  Probe(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Probe(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Probe(argument: _postrider_quota_v1_ReserveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Probe(argument: _postrider_quota_v1_ReserveRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  probe(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  probe(argument: _postrider_quota_v1_ReserveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  probe(argument: _postrider_quota_v1_ReserveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  probe(argument: _postrider_quota_v1_ReserveRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
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
  
  SetInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  SetInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  SetInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  SetInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  setInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  setInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  setInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  setInvoiceStatus(argument: _postrider_quota_v1_SetInvoiceStatusRequest, callback: grpc.requestCallback<_postrider_quota_v1_Invoice__Output>): grpc.ClientUnaryCall;
  
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
  
  TakePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  TakePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  TakePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  TakePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  takePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  takePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  takePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  takePaymentEvent(argument: _postrider_quota_v1_PaymentEventRequest, callback: grpc.requestCallback<_postrider_quota_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
}

export interface QuotaHandlers extends grpc.UntypedServiceImplementation {
  Adjust: grpc.handleUnaryCall<_postrider_quota_v1_AdjustRequest__Output, _postrider_quota_v1_Adjustment>;
  
  ChangePlan: grpc.handleUnaryCall<_postrider_quota_v1_ChangePlanRequest__Output, _postrider_quota_v1_PlanState>;
  
  Commit: grpc.handleUnaryCall<_postrider_quota_v1_CommitRequest__Output, _postrider_quota_v1_Nothing>;
  
  GetInvoice: grpc.handleUnaryCall<_postrider_quota_v1_InvoiceRequest__Output, _postrider_quota_v1_Invoice>;
  
  GetLimits: grpc.handleUnaryCall<_postrider_quota_v1_LimitsRequest__Output, _postrider_quota_v1_Limits>;
  
  GetPaymentProvider: grpc.handleUnaryCall<_postrider_quota_v1_Nothing__Output, _postrider_quota_v1_PaymentProvider>;
  
  GetPlan: grpc.handleUnaryCall<_postrider_quota_v1_LimitsRequest__Output, _postrider_quota_v1_PlanState>;
  
  GetUsage: grpc.handleUnaryCall<_postrider_quota_v1_UsageRequest__Output, _postrider_quota_v1_Usage>;
  
  ListInvoices: grpc.handleUnaryCall<_postrider_quota_v1_ListInvoicesRequest__Output, _postrider_quota_v1_InvoiceList>;
  
  ListPending: grpc.handleUnaryCall<_postrider_quota_v1_ListPendingRequest__Output, _postrider_quota_v1_PendingList>;
  
  OpenPortal: grpc.handleUnaryCall<_postrider_quota_v1_PortalRequest__Output, _postrider_quota_v1_Link>;
  
  PayInvoice: grpc.handleUnaryCall<_postrider_quota_v1_InvoiceRequest__Output, _postrider_quota_v1_Link>;
  
  PreviewPlan: grpc.handleUnaryCall<_postrider_quota_v1_PreviewPlanRequest__Output, _postrider_quota_v1_PlanPreview>;
  
  Probe: grpc.handleUnaryCall<_postrider_quota_v1_ReserveRequest__Output, _postrider_quota_v1_Nothing>;
  
  Release: grpc.handleUnaryCall<_postrider_quota_v1_ReleaseRequest__Output, _postrider_quota_v1_Nothing>;
  
  Reserve: grpc.handleUnaryCall<_postrider_quota_v1_ReserveRequest__Output, _postrider_quota_v1_Standing>;
  
  SetInvoiceStatus: grpc.handleUnaryCall<_postrider_quota_v1_SetInvoiceStatusRequest__Output, _postrider_quota_v1_Invoice>;
  
  SetLimits: grpc.handleUnaryCall<_postrider_quota_v1_SetLimitsRequest__Output, _postrider_quota_v1_Limits>;
  
  Settle: grpc.handleUnaryCall<_postrider_quota_v1_SettleRequest__Output, _postrider_quota_v1_SettleReply>;
  
  TakePaymentEvent: grpc.handleUnaryCall<_postrider_quota_v1_PaymentEventRequest__Output, _postrider_quota_v1_Nothing>;
  
}

export interface QuotaDefinition extends grpc.ServiceDefinition {
  Adjust: MethodDefinition<_postrider_quota_v1_AdjustRequest, _postrider_quota_v1_Adjustment, _postrider_quota_v1_AdjustRequest__Output, _postrider_quota_v1_Adjustment__Output>
  ChangePlan: MethodDefinition<_postrider_quota_v1_ChangePlanRequest, _postrider_quota_v1_PlanState, _postrider_quota_v1_ChangePlanRequest__Output, _postrider_quota_v1_PlanState__Output>
  Commit: MethodDefinition<_postrider_quota_v1_CommitRequest, _postrider_quota_v1_Nothing, _postrider_quota_v1_CommitRequest__Output, _postrider_quota_v1_Nothing__Output>
  GetInvoice: MethodDefinition<_postrider_quota_v1_InvoiceRequest, _postrider_quota_v1_Invoice, _postrider_quota_v1_InvoiceRequest__Output, _postrider_quota_v1_Invoice__Output>
  GetLimits: MethodDefinition<_postrider_quota_v1_LimitsRequest, _postrider_quota_v1_Limits, _postrider_quota_v1_LimitsRequest__Output, _postrider_quota_v1_Limits__Output>
  GetPaymentProvider: MethodDefinition<_postrider_quota_v1_Nothing, _postrider_quota_v1_PaymentProvider, _postrider_quota_v1_Nothing__Output, _postrider_quota_v1_PaymentProvider__Output>
  GetPlan: MethodDefinition<_postrider_quota_v1_LimitsRequest, _postrider_quota_v1_PlanState, _postrider_quota_v1_LimitsRequest__Output, _postrider_quota_v1_PlanState__Output>
  GetUsage: MethodDefinition<_postrider_quota_v1_UsageRequest, _postrider_quota_v1_Usage, _postrider_quota_v1_UsageRequest__Output, _postrider_quota_v1_Usage__Output>
  ListInvoices: MethodDefinition<_postrider_quota_v1_ListInvoicesRequest, _postrider_quota_v1_InvoiceList, _postrider_quota_v1_ListInvoicesRequest__Output, _postrider_quota_v1_InvoiceList__Output>
  ListPending: MethodDefinition<_postrider_quota_v1_ListPendingRequest, _postrider_quota_v1_PendingList, _postrider_quota_v1_ListPendingRequest__Output, _postrider_quota_v1_PendingList__Output>
  OpenPortal: MethodDefinition<_postrider_quota_v1_PortalRequest, _postrider_quota_v1_Link, _postrider_quota_v1_PortalRequest__Output, _postrider_quota_v1_Link__Output>
  PayInvoice: MethodDefinition<_postrider_quota_v1_InvoiceRequest, _postrider_quota_v1_Link, _postrider_quota_v1_InvoiceRequest__Output, _postrider_quota_v1_Link__Output>
  PreviewPlan: MethodDefinition<_postrider_quota_v1_PreviewPlanRequest, _postrider_quota_v1_PlanPreview, _postrider_quota_v1_PreviewPlanRequest__Output, _postrider_quota_v1_PlanPreview__Output>
  Probe: MethodDefinition<_postrider_quota_v1_ReserveRequest, _postrider_quota_v1_Nothing, _postrider_quota_v1_ReserveRequest__Output, _postrider_quota_v1_Nothing__Output>
  Release: MethodDefinition<_postrider_quota_v1_ReleaseRequest, _postrider_quota_v1_Nothing, _postrider_quota_v1_ReleaseRequest__Output, _postrider_quota_v1_Nothing__Output>
  Reserve: MethodDefinition<_postrider_quota_v1_ReserveRequest, _postrider_quota_v1_Standing, _postrider_quota_v1_ReserveRequest__Output, _postrider_quota_v1_Standing__Output>
  SetInvoiceStatus: MethodDefinition<_postrider_quota_v1_SetInvoiceStatusRequest, _postrider_quota_v1_Invoice, _postrider_quota_v1_SetInvoiceStatusRequest__Output, _postrider_quota_v1_Invoice__Output>
  SetLimits: MethodDefinition<_postrider_quota_v1_SetLimitsRequest, _postrider_quota_v1_Limits, _postrider_quota_v1_SetLimitsRequest__Output, _postrider_quota_v1_Limits__Output>
  Settle: MethodDefinition<_postrider_quota_v1_SettleRequest, _postrider_quota_v1_SettleReply, _postrider_quota_v1_SettleRequest__Output, _postrider_quota_v1_SettleReply__Output>
  TakePaymentEvent: MethodDefinition<_postrider_quota_v1_PaymentEventRequest, _postrider_quota_v1_Nothing, _postrider_quota_v1_PaymentEventRequest__Output, _postrider_quota_v1_Nothing__Output>
}
