// Original file: protos/postrider/intake/v1/intake.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CapturedReply as _postrider_intake_v1_CapturedReply, CapturedReply__Output as _postrider_intake_v1_CapturedReply__Output } from '../../../postrider/intake/v1/CapturedReply.ts';
import type { CheckReply as _postrider_intake_v1_CheckReply, CheckReply__Output as _postrider_intake_v1_CheckReply__Output } from '../../../postrider/intake/v1/CheckReply.ts';
import type { CheckRequest as _postrider_intake_v1_CheckRequest, CheckRequest__Output as _postrider_intake_v1_CheckRequest__Output } from '../../../postrider/intake/v1/CheckRequest.ts';
import type { ContentReply as _postrider_intake_v1_ContentReply, ContentReply__Output as _postrider_intake_v1_ContentReply__Output } from '../../../postrider/intake/v1/ContentReply.ts';
import type { CountDispatchersRequest as _postrider_intake_v1_CountDispatchersRequest, CountDispatchersRequest__Output as _postrider_intake_v1_CountDispatchersRequest__Output } from '../../../postrider/intake/v1/CountDispatchersRequest.ts';
import type { CreateErasureRequest as _postrider_intake_v1_CreateErasureRequest, CreateErasureRequest__Output as _postrider_intake_v1_CreateErasureRequest__Output } from '../../../postrider/intake/v1/CreateErasureRequest.ts';
import type { Dispatchers as _postrider_intake_v1_Dispatchers, Dispatchers__Output as _postrider_intake_v1_Dispatchers__Output } from '../../../postrider/intake/v1/Dispatchers.ts';
import type { EmailReply as _postrider_intake_v1_EmailReply, EmailReply__Output as _postrider_intake_v1_EmailReply__Output } from '../../../postrider/intake/v1/EmailReply.ts';
import type { EmailRequest as _postrider_intake_v1_EmailRequest, EmailRequest__Output as _postrider_intake_v1_EmailRequest__Output } from '../../../postrider/intake/v1/EmailRequest.ts';
import type { Erasure as _postrider_intake_v1_Erasure, Erasure__Output as _postrider_intake_v1_Erasure__Output } from '../../../postrider/intake/v1/Erasure.ts';
import type { ErasureRequest as _postrider_intake_v1_ErasureRequest, ErasureRequest__Output as _postrider_intake_v1_ErasureRequest__Output } from '../../../postrider/intake/v1/ErasureRequest.ts';
import type { GetCapturedRequest as _postrider_intake_v1_GetCapturedRequest, GetCapturedRequest__Output as _postrider_intake_v1_GetCapturedRequest__Output } from '../../../postrider/intake/v1/GetCapturedRequest.ts';
import type { ListCapturedReply as _postrider_intake_v1_ListCapturedReply, ListCapturedReply__Output as _postrider_intake_v1_ListCapturedReply__Output } from '../../../postrider/intake/v1/ListCapturedReply.ts';
import type { ListCapturedRequest as _postrider_intake_v1_ListCapturedRequest, ListCapturedRequest__Output as _postrider_intake_v1_ListCapturedRequest__Output } from '../../../postrider/intake/v1/ListCapturedRequest.ts';
import type { ListEmailsReply as _postrider_intake_v1_ListEmailsReply, ListEmailsReply__Output as _postrider_intake_v1_ListEmailsReply__Output } from '../../../postrider/intake/v1/ListEmailsReply.ts';
import type { ListEmailsRequest as _postrider_intake_v1_ListEmailsRequest, ListEmailsRequest__Output as _postrider_intake_v1_ListEmailsRequest__Output } from '../../../postrider/intake/v1/ListEmailsRequest.ts';
import type { ListEventsReply as _postrider_intake_v1_ListEventsReply, ListEventsReply__Output as _postrider_intake_v1_ListEventsReply__Output } from '../../../postrider/intake/v1/ListEventsReply.ts';
import type { ListEventsRequest as _postrider_intake_v1_ListEventsRequest, ListEventsRequest__Output as _postrider_intake_v1_ListEventsRequest__Output } from '../../../postrider/intake/v1/ListEventsRequest.ts';
import type { ListParkedReply as _postrider_intake_v1_ListParkedReply, ListParkedReply__Output as _postrider_intake_v1_ListParkedReply__Output } from '../../../postrider/intake/v1/ListParkedReply.ts';
import type { ListParkedRequest as _postrider_intake_v1_ListParkedRequest, ListParkedRequest__Output as _postrider_intake_v1_ListParkedRequest__Output } from '../../../postrider/intake/v1/ListParkedRequest.ts';
import type { MoveTestClockRequest as _postrider_intake_v1_MoveTestClockRequest, MoveTestClockRequest__Output as _postrider_intake_v1_MoveTestClockRequest__Output } from '../../../postrider/intake/v1/MoveTestClockRequest.ts';
import type { ParkedEmail as _postrider_intake_v1_ParkedEmail, ParkedEmail__Output as _postrider_intake_v1_ParkedEmail__Output } from '../../../postrider/intake/v1/ParkedEmail.ts';
import type { ParkedRequest as _postrider_intake_v1_ParkedRequest, ParkedRequest__Output as _postrider_intake_v1_ParkedRequest__Output } from '../../../postrider/intake/v1/ParkedRequest.ts';
import type { Queues as _postrider_intake_v1_Queues, Queues__Output as _postrider_intake_v1_Queues__Output } from '../../../postrider/intake/v1/Queues.ts';
import type { QueuesRequest as _postrider_intake_v1_QueuesRequest, QueuesRequest__Output as _postrider_intake_v1_QueuesRequest__Output } from '../../../postrider/intake/v1/QueuesRequest.ts';
import type { RawReply as _postrider_intake_v1_RawReply, RawReply__Output as _postrider_intake_v1_RawReply__Output } from '../../../postrider/intake/v1/RawReply.ts';
import type { RescheduleRequest as _postrider_intake_v1_RescheduleRequest, RescheduleRequest__Output as _postrider_intake_v1_RescheduleRequest__Output } from '../../../postrider/intake/v1/RescheduleRequest.ts';
import type { ResolveRequest as _postrider_intake_v1_ResolveRequest, ResolveRequest__Output as _postrider_intake_v1_ResolveRequest__Output } from '../../../postrider/intake/v1/ResolveRequest.ts';
import type { RetentionReply as _postrider_intake_v1_RetentionReply, RetentionReply__Output as _postrider_intake_v1_RetentionReply__Output } from '../../../postrider/intake/v1/RetentionReply.ts';
import type { RetentionRequest as _postrider_intake_v1_RetentionRequest, RetentionRequest__Output as _postrider_intake_v1_RetentionRequest__Output } from '../../../postrider/intake/v1/RetentionRequest.ts';
import type { StageBatchReply as _postrider_intake_v1_StageBatchReply, StageBatchReply__Output as _postrider_intake_v1_StageBatchReply__Output } from '../../../postrider/intake/v1/StageBatchReply.ts';
import type { StageBatchRequest as _postrider_intake_v1_StageBatchRequest, StageBatchRequest__Output as _postrider_intake_v1_StageBatchRequest__Output } from '../../../postrider/intake/v1/StageBatchRequest.ts';
import type { StatsReply as _postrider_intake_v1_StatsReply, StatsReply__Output as _postrider_intake_v1_StatsReply__Output } from '../../../postrider/intake/v1/StatsReply.ts';
import type { StatsRequest as _postrider_intake_v1_StatsRequest, StatsRequest__Output as _postrider_intake_v1_StatsRequest__Output } from '../../../postrider/intake/v1/StatsRequest.ts';
import type { SubmitBatchRequest as _postrider_intake_v1_SubmitBatchRequest, SubmitBatchRequest__Output as _postrider_intake_v1_SubmitBatchRequest__Output } from '../../../postrider/intake/v1/SubmitBatchRequest.ts';
import type { SubmitReply as _postrider_intake_v1_SubmitReply, SubmitReply__Output as _postrider_intake_v1_SubmitReply__Output } from '../../../postrider/intake/v1/SubmitReply.ts';
import type { SubmitRequest as _postrider_intake_v1_SubmitRequest, SubmitRequest__Output as _postrider_intake_v1_SubmitRequest__Output } from '../../../postrider/intake/v1/SubmitRequest.ts';
import type { SystemMailReply as _postrider_intake_v1_SystemMailReply, SystemMailReply__Output as _postrider_intake_v1_SystemMailReply__Output } from '../../../postrider/intake/v1/SystemMailReply.ts';
import type { SystemMailRequest as _postrider_intake_v1_SystemMailRequest, SystemMailRequest__Output as _postrider_intake_v1_SystemMailRequest__Output } from '../../../postrider/intake/v1/SystemMailRequest.ts';
import type { TestClock as _postrider_intake_v1_TestClock, TestClock__Output as _postrider_intake_v1_TestClock__Output } from '../../../postrider/intake/v1/TestClock.ts';
import type { TestClockRequest as _postrider_intake_v1_TestClockRequest, TestClockRequest__Output as _postrider_intake_v1_TestClockRequest__Output } from '../../../postrider/intake/v1/TestClockRequest.ts';
import type { ValidateReply as _postrider_intake_v1_ValidateReply, ValidateReply__Output as _postrider_intake_v1_ValidateReply__Output } from '../../../postrider/intake/v1/ValidateReply.ts';
import type { ValidateRequest as _postrider_intake_v1_ValidateRequest, ValidateRequest__Output as _postrider_intake_v1_ValidateRequest__Output } from '../../../postrider/intake/v1/ValidateRequest.ts';

export interface IntakeClient extends grpc.Client {
  CancelEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  CancelEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  CancelEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  CancelEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  cancelEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  cancelEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  cancelEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  cancelEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  
  Check(argument: _postrider_intake_v1_CheckRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  Check(argument: _postrider_intake_v1_CheckRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  Check(argument: _postrider_intake_v1_CheckRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  Check(argument: _postrider_intake_v1_CheckRequest, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_intake_v1_CheckRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_intake_v1_CheckRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_intake_v1_CheckRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  check(argument: _postrider_intake_v1_CheckRequest, callback: grpc.requestCallback<_postrider_intake_v1_CheckReply__Output>): grpc.ClientUnaryCall;
  
  CountDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  CountDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  CountDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  CountDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  countDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  countDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  countDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  countDispatchers(argument: _postrider_intake_v1_CountDispatchersRequest, callback: grpc.requestCallback<_postrider_intake_v1_Dispatchers__Output>): grpc.ClientUnaryCall;
  
  CreateErasure(argument: _postrider_intake_v1_CreateErasureRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  CreateErasure(argument: _postrider_intake_v1_CreateErasureRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  CreateErasure(argument: _postrider_intake_v1_CreateErasureRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  CreateErasure(argument: _postrider_intake_v1_CreateErasureRequest, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  createErasure(argument: _postrider_intake_v1_CreateErasureRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  createErasure(argument: _postrider_intake_v1_CreateErasureRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  createErasure(argument: _postrider_intake_v1_CreateErasureRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  createErasure(argument: _postrider_intake_v1_CreateErasureRequest, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  
  DropParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  DropParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  DropParked(argument: _postrider_intake_v1_ParkedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  DropParked(argument: _postrider_intake_v1_ParkedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  dropParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  dropParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  dropParked(argument: _postrider_intake_v1_ParkedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  dropParked(argument: _postrider_intake_v1_ParkedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  
  ExplainEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ExplainEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ExplainEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ExplainEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  explainEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  explainEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  explainEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  explainEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  
  GetContent(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  GetContent(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  GetContent(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  GetContent(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  getContent(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  getContent(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  getContent(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  getContent(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_ContentReply__Output>): grpc.ClientUnaryCall;
  
  GetEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  GetEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  GetEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  GetEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  
  GetErasure(argument: _postrider_intake_v1_ErasureRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  GetErasure(argument: _postrider_intake_v1_ErasureRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  GetErasure(argument: _postrider_intake_v1_ErasureRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  GetErasure(argument: _postrider_intake_v1_ErasureRequest, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  getErasure(argument: _postrider_intake_v1_ErasureRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  getErasure(argument: _postrider_intake_v1_ErasureRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  getErasure(argument: _postrider_intake_v1_ErasureRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  getErasure(argument: _postrider_intake_v1_ErasureRequest, callback: grpc.requestCallback<_postrider_intake_v1_Erasure__Output>): grpc.ClientUnaryCall;
  
  GetQueues(argument: _postrider_intake_v1_QueuesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  GetQueues(argument: _postrider_intake_v1_QueuesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  GetQueues(argument: _postrider_intake_v1_QueuesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  GetQueues(argument: _postrider_intake_v1_QueuesRequest, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  getQueues(argument: _postrider_intake_v1_QueuesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  getQueues(argument: _postrider_intake_v1_QueuesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  getQueues(argument: _postrider_intake_v1_QueuesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  getQueues(argument: _postrider_intake_v1_QueuesRequest, callback: grpc.requestCallback<_postrider_intake_v1_Queues__Output>): grpc.ClientUnaryCall;
  
  GetRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  GetRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  GetRaw(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  GetRaw(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  
  GetRetention(argument: _postrider_intake_v1_RetentionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  GetRetention(argument: _postrider_intake_v1_RetentionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  GetRetention(argument: _postrider_intake_v1_RetentionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  GetRetention(argument: _postrider_intake_v1_RetentionRequest, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  getRetention(argument: _postrider_intake_v1_RetentionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  getRetention(argument: _postrider_intake_v1_RetentionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  getRetention(argument: _postrider_intake_v1_RetentionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  getRetention(argument: _postrider_intake_v1_RetentionRequest, callback: grpc.requestCallback<_postrider_intake_v1_RetentionReply__Output>): grpc.ClientUnaryCall;
  
  GetTestClock(argument: _postrider_intake_v1_TestClockRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  GetTestClock(argument: _postrider_intake_v1_TestClockRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  GetTestClock(argument: _postrider_intake_v1_TestClockRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  GetTestClock(argument: _postrider_intake_v1_TestClockRequest, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  getTestClock(argument: _postrider_intake_v1_TestClockRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  getTestClock(argument: _postrider_intake_v1_TestClockRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  getTestClock(argument: _postrider_intake_v1_TestClockRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  getTestClock(argument: _postrider_intake_v1_TestClockRequest, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  
  ListCaptured(argument: _postrider_intake_v1_ListCapturedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  ListCaptured(argument: _postrider_intake_v1_ListCapturedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  ListCaptured(argument: _postrider_intake_v1_ListCapturedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  ListCaptured(argument: _postrider_intake_v1_ListCapturedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  listCaptured(argument: _postrider_intake_v1_ListCapturedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  listCaptured(argument: _postrider_intake_v1_ListCapturedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  listCaptured(argument: _postrider_intake_v1_ListCapturedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  listCaptured(argument: _postrider_intake_v1_ListCapturedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListCapturedReply__Output>): grpc.ClientUnaryCall;
  
  ListEmails(argument: _postrider_intake_v1_ListEmailsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  ListEmails(argument: _postrider_intake_v1_ListEmailsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  ListEmails(argument: _postrider_intake_v1_ListEmailsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  ListEmails(argument: _postrider_intake_v1_ListEmailsRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  listEmails(argument: _postrider_intake_v1_ListEmailsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  listEmails(argument: _postrider_intake_v1_ListEmailsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  listEmails(argument: _postrider_intake_v1_ListEmailsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  listEmails(argument: _postrider_intake_v1_ListEmailsRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListEmailsReply__Output>): grpc.ClientUnaryCall;
  
  ListEvents(argument: _postrider_intake_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _postrider_intake_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _postrider_intake_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _postrider_intake_v1_ListEventsRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _postrider_intake_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _postrider_intake_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _postrider_intake_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _postrider_intake_v1_ListEventsRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListEventsReply__Output>): grpc.ClientUnaryCall;
  
  ListParked(argument: _postrider_intake_v1_ListParkedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  ListParked(argument: _postrider_intake_v1_ListParkedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  ListParked(argument: _postrider_intake_v1_ListParkedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  ListParked(argument: _postrider_intake_v1_ListParkedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  listParked(argument: _postrider_intake_v1_ListParkedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  listParked(argument: _postrider_intake_v1_ListParkedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  listParked(argument: _postrider_intake_v1_ListParkedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  listParked(argument: _postrider_intake_v1_ListParkedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ListParkedReply__Output>): grpc.ClientUnaryCall;
  
  MoveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  MoveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  MoveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  MoveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  moveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  moveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  moveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  moveTestClock(argument: _postrider_intake_v1_MoveTestClockRequest, callback: grpc.requestCallback<_postrider_intake_v1_TestClock__Output>): grpc.ClientUnaryCall;
  
  ReadStats(argument: _postrider_intake_v1_StatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  ReadStats(argument: _postrider_intake_v1_StatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  ReadStats(argument: _postrider_intake_v1_StatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  ReadStats(argument: _postrider_intake_v1_StatsRequest, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  readStats(argument: _postrider_intake_v1_StatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  readStats(argument: _postrider_intake_v1_StatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  readStats(argument: _postrider_intake_v1_StatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  readStats(argument: _postrider_intake_v1_StatsRequest, callback: grpc.requestCallback<_postrider_intake_v1_StatsReply__Output>): grpc.ClientUnaryCall;
  
  ReleaseParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  ReleaseParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  ReleaseParked(argument: _postrider_intake_v1_ParkedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  ReleaseParked(argument: _postrider_intake_v1_ParkedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  releaseParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  releaseParked(argument: _postrider_intake_v1_ParkedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  releaseParked(argument: _postrider_intake_v1_ParkedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  releaseParked(argument: _postrider_intake_v1_ParkedRequest, callback: grpc.requestCallback<_postrider_intake_v1_ParkedEmail__Output>): grpc.ClientUnaryCall;
  
  RescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  RescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  RescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  RescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  rescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  rescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  rescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  rescheduleEmail(argument: _postrider_intake_v1_RescheduleRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  
  SendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  SendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  SendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  SendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  sendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  sendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  sendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  sendSystemMail(argument: _postrider_intake_v1_SystemMailRequest, callback: grpc.requestCallback<_postrider_intake_v1_SystemMailReply__Output>): grpc.ClientUnaryCall;
  
  StageBatch(argument: _postrider_intake_v1_StageBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  StageBatch(argument: _postrider_intake_v1_StageBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  StageBatch(argument: _postrider_intake_v1_StageBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  StageBatch(argument: _postrider_intake_v1_StageBatchRequest, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  stageBatch(argument: _postrider_intake_v1_StageBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  stageBatch(argument: _postrider_intake_v1_StageBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  stageBatch(argument: _postrider_intake_v1_StageBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  stageBatch(argument: _postrider_intake_v1_StageBatchRequest, callback: grpc.requestCallback<_postrider_intake_v1_StageBatchReply__Output>): grpc.ClientUnaryCall;
  
  Submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  Submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  Submit(argument: _postrider_intake_v1_SubmitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  Submit(argument: _postrider_intake_v1_SubmitRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  
  SubmitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  SubmitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  SubmitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  SubmitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitBatch(argument: _postrider_intake_v1_SubmitBatchRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  
  SubmitOnce(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  SubmitOnce(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  SubmitOnce(argument: _postrider_intake_v1_SubmitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  SubmitOnce(argument: _postrider_intake_v1_SubmitRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitOnce(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitOnce(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitOnce(argument: _postrider_intake_v1_SubmitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submitOnce(argument: _postrider_intake_v1_SubmitRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  
  Validate(argument: _postrider_intake_v1_ValidateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  Validate(argument: _postrider_intake_v1_ValidateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  Validate(argument: _postrider_intake_v1_ValidateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  Validate(argument: _postrider_intake_v1_ValidateRequest, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  validate(argument: _postrider_intake_v1_ValidateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  validate(argument: _postrider_intake_v1_ValidateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  validate(argument: _postrider_intake_v1_ValidateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  validate(argument: _postrider_intake_v1_ValidateRequest, callback: grpc.requestCallback<_postrider_intake_v1_ValidateReply__Output>): grpc.ClientUnaryCall;
  
}

export interface IntakeHandlers extends grpc.UntypedServiceImplementation {
  CancelEmail: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply>;
  
  Check: grpc.handleUnaryCall<_postrider_intake_v1_CheckRequest__Output, _postrider_intake_v1_CheckReply>;
  
  CountDispatchers: grpc.handleUnaryCall<_postrider_intake_v1_CountDispatchersRequest__Output, _postrider_intake_v1_Dispatchers>;
  
  CreateErasure: grpc.handleUnaryCall<_postrider_intake_v1_CreateErasureRequest__Output, _postrider_intake_v1_Erasure>;
  
  DropParked: grpc.handleUnaryCall<_postrider_intake_v1_ParkedRequest__Output, _postrider_intake_v1_ParkedEmail>;
  
  ExplainEmail: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply>;
  
  GetCaptured: grpc.handleUnaryCall<_postrider_intake_v1_GetCapturedRequest__Output, _postrider_intake_v1_CapturedReply>;
  
  GetContent: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_ContentReply>;
  
  GetEmail: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply>;
  
  GetErasure: grpc.handleUnaryCall<_postrider_intake_v1_ErasureRequest__Output, _postrider_intake_v1_Erasure>;
  
  GetQueues: grpc.handleUnaryCall<_postrider_intake_v1_QueuesRequest__Output, _postrider_intake_v1_Queues>;
  
  GetRaw: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_RawReply>;
  
  GetRetention: grpc.handleUnaryCall<_postrider_intake_v1_RetentionRequest__Output, _postrider_intake_v1_RetentionReply>;
  
  GetTestClock: grpc.handleUnaryCall<_postrider_intake_v1_TestClockRequest__Output, _postrider_intake_v1_TestClock>;
  
  ListCaptured: grpc.handleUnaryCall<_postrider_intake_v1_ListCapturedRequest__Output, _postrider_intake_v1_ListCapturedReply>;
  
  ListEmails: grpc.handleUnaryCall<_postrider_intake_v1_ListEmailsRequest__Output, _postrider_intake_v1_ListEmailsReply>;
  
  ListEvents: grpc.handleUnaryCall<_postrider_intake_v1_ListEventsRequest__Output, _postrider_intake_v1_ListEventsReply>;
  
  ListParked: grpc.handleUnaryCall<_postrider_intake_v1_ListParkedRequest__Output, _postrider_intake_v1_ListParkedReply>;
  
  MoveTestClock: grpc.handleUnaryCall<_postrider_intake_v1_MoveTestClockRequest__Output, _postrider_intake_v1_TestClock>;
  
  ReadStats: grpc.handleUnaryCall<_postrider_intake_v1_StatsRequest__Output, _postrider_intake_v1_StatsReply>;
  
  ReleaseParked: grpc.handleUnaryCall<_postrider_intake_v1_ParkedRequest__Output, _postrider_intake_v1_ParkedEmail>;
  
  RescheduleEmail: grpc.handleUnaryCall<_postrider_intake_v1_RescheduleRequest__Output, _postrider_intake_v1_EmailReply>;
  
  ResolveEmail: grpc.handleUnaryCall<_postrider_intake_v1_ResolveRequest__Output, _postrider_intake_v1_EmailReply>;
  
  SendSystemMail: grpc.handleUnaryCall<_postrider_intake_v1_SystemMailRequest__Output, _postrider_intake_v1_SystemMailReply>;
  
  StageBatch: grpc.handleUnaryCall<_postrider_intake_v1_StageBatchRequest__Output, _postrider_intake_v1_StageBatchReply>;
  
  Submit: grpc.handleUnaryCall<_postrider_intake_v1_SubmitRequest__Output, _postrider_intake_v1_SubmitReply>;
  
  SubmitBatch: grpc.handleUnaryCall<_postrider_intake_v1_SubmitBatchRequest__Output, _postrider_intake_v1_SubmitReply>;
  
  SubmitOnce: grpc.handleUnaryCall<_postrider_intake_v1_SubmitRequest__Output, _postrider_intake_v1_SubmitReply>;
  
  Validate: grpc.handleUnaryCall<_postrider_intake_v1_ValidateRequest__Output, _postrider_intake_v1_ValidateReply>;
  
}

export interface IntakeDefinition extends grpc.ServiceDefinition {
  CancelEmail: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply__Output>
  Check: MethodDefinition<_postrider_intake_v1_CheckRequest, _postrider_intake_v1_CheckReply, _postrider_intake_v1_CheckRequest__Output, _postrider_intake_v1_CheckReply__Output>
  CountDispatchers: MethodDefinition<_postrider_intake_v1_CountDispatchersRequest, _postrider_intake_v1_Dispatchers, _postrider_intake_v1_CountDispatchersRequest__Output, _postrider_intake_v1_Dispatchers__Output>
  CreateErasure: MethodDefinition<_postrider_intake_v1_CreateErasureRequest, _postrider_intake_v1_Erasure, _postrider_intake_v1_CreateErasureRequest__Output, _postrider_intake_v1_Erasure__Output>
  DropParked: MethodDefinition<_postrider_intake_v1_ParkedRequest, _postrider_intake_v1_ParkedEmail, _postrider_intake_v1_ParkedRequest__Output, _postrider_intake_v1_ParkedEmail__Output>
  ExplainEmail: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply__Output>
  GetCaptured: MethodDefinition<_postrider_intake_v1_GetCapturedRequest, _postrider_intake_v1_CapturedReply, _postrider_intake_v1_GetCapturedRequest__Output, _postrider_intake_v1_CapturedReply__Output>
  GetContent: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_ContentReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_ContentReply__Output>
  GetEmail: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply__Output>
  GetErasure: MethodDefinition<_postrider_intake_v1_ErasureRequest, _postrider_intake_v1_Erasure, _postrider_intake_v1_ErasureRequest__Output, _postrider_intake_v1_Erasure__Output>
  GetQueues: MethodDefinition<_postrider_intake_v1_QueuesRequest, _postrider_intake_v1_Queues, _postrider_intake_v1_QueuesRequest__Output, _postrider_intake_v1_Queues__Output>
  GetRaw: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_RawReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_RawReply__Output>
  GetRetention: MethodDefinition<_postrider_intake_v1_RetentionRequest, _postrider_intake_v1_RetentionReply, _postrider_intake_v1_RetentionRequest__Output, _postrider_intake_v1_RetentionReply__Output>
  GetTestClock: MethodDefinition<_postrider_intake_v1_TestClockRequest, _postrider_intake_v1_TestClock, _postrider_intake_v1_TestClockRequest__Output, _postrider_intake_v1_TestClock__Output>
  ListCaptured: MethodDefinition<_postrider_intake_v1_ListCapturedRequest, _postrider_intake_v1_ListCapturedReply, _postrider_intake_v1_ListCapturedRequest__Output, _postrider_intake_v1_ListCapturedReply__Output>
  ListEmails: MethodDefinition<_postrider_intake_v1_ListEmailsRequest, _postrider_intake_v1_ListEmailsReply, _postrider_intake_v1_ListEmailsRequest__Output, _postrider_intake_v1_ListEmailsReply__Output>
  ListEvents: MethodDefinition<_postrider_intake_v1_ListEventsRequest, _postrider_intake_v1_ListEventsReply, _postrider_intake_v1_ListEventsRequest__Output, _postrider_intake_v1_ListEventsReply__Output>
  ListParked: MethodDefinition<_postrider_intake_v1_ListParkedRequest, _postrider_intake_v1_ListParkedReply, _postrider_intake_v1_ListParkedRequest__Output, _postrider_intake_v1_ListParkedReply__Output>
  MoveTestClock: MethodDefinition<_postrider_intake_v1_MoveTestClockRequest, _postrider_intake_v1_TestClock, _postrider_intake_v1_MoveTestClockRequest__Output, _postrider_intake_v1_TestClock__Output>
  ReadStats: MethodDefinition<_postrider_intake_v1_StatsRequest, _postrider_intake_v1_StatsReply, _postrider_intake_v1_StatsRequest__Output, _postrider_intake_v1_StatsReply__Output>
  ReleaseParked: MethodDefinition<_postrider_intake_v1_ParkedRequest, _postrider_intake_v1_ParkedEmail, _postrider_intake_v1_ParkedRequest__Output, _postrider_intake_v1_ParkedEmail__Output>
  RescheduleEmail: MethodDefinition<_postrider_intake_v1_RescheduleRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_RescheduleRequest__Output, _postrider_intake_v1_EmailReply__Output>
  ResolveEmail: MethodDefinition<_postrider_intake_v1_ResolveRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_ResolveRequest__Output, _postrider_intake_v1_EmailReply__Output>
  SendSystemMail: MethodDefinition<_postrider_intake_v1_SystemMailRequest, _postrider_intake_v1_SystemMailReply, _postrider_intake_v1_SystemMailRequest__Output, _postrider_intake_v1_SystemMailReply__Output>
  StageBatch: MethodDefinition<_postrider_intake_v1_StageBatchRequest, _postrider_intake_v1_StageBatchReply, _postrider_intake_v1_StageBatchRequest__Output, _postrider_intake_v1_StageBatchReply__Output>
  Submit: MethodDefinition<_postrider_intake_v1_SubmitRequest, _postrider_intake_v1_SubmitReply, _postrider_intake_v1_SubmitRequest__Output, _postrider_intake_v1_SubmitReply__Output>
  SubmitBatch: MethodDefinition<_postrider_intake_v1_SubmitBatchRequest, _postrider_intake_v1_SubmitReply, _postrider_intake_v1_SubmitBatchRequest__Output, _postrider_intake_v1_SubmitReply__Output>
  SubmitOnce: MethodDefinition<_postrider_intake_v1_SubmitRequest, _postrider_intake_v1_SubmitReply, _postrider_intake_v1_SubmitRequest__Output, _postrider_intake_v1_SubmitReply__Output>
  Validate: MethodDefinition<_postrider_intake_v1_ValidateRequest, _postrider_intake_v1_ValidateReply, _postrider_intake_v1_ValidateRequest__Output, _postrider_intake_v1_ValidateReply__Output>
}
