// Original file: protos/postrider/intake/v1/intake.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CapturedReply as _postrider_intake_v1_CapturedReply, CapturedReply__Output as _postrider_intake_v1_CapturedReply__Output } from '../../../postrider/intake/v1/CapturedReply.ts';
import type { CheckReply as _postrider_intake_v1_CheckReply, CheckReply__Output as _postrider_intake_v1_CheckReply__Output } from '../../../postrider/intake/v1/CheckReply.ts';
import type { CheckRequest as _postrider_intake_v1_CheckRequest, CheckRequest__Output as _postrider_intake_v1_CheckRequest__Output } from '../../../postrider/intake/v1/CheckRequest.ts';
import type { EmailReply as _postrider_intake_v1_EmailReply, EmailReply__Output as _postrider_intake_v1_EmailReply__Output } from '../../../postrider/intake/v1/EmailReply.ts';
import type { EmailRequest as _postrider_intake_v1_EmailRequest, EmailRequest__Output as _postrider_intake_v1_EmailRequest__Output } from '../../../postrider/intake/v1/EmailRequest.ts';
import type { GetCapturedRequest as _postrider_intake_v1_GetCapturedRequest, GetCapturedRequest__Output as _postrider_intake_v1_GetCapturedRequest__Output } from '../../../postrider/intake/v1/GetCapturedRequest.ts';
import type { ListCapturedReply as _postrider_intake_v1_ListCapturedReply, ListCapturedReply__Output as _postrider_intake_v1_ListCapturedReply__Output } from '../../../postrider/intake/v1/ListCapturedReply.ts';
import type { ListCapturedRequest as _postrider_intake_v1_ListCapturedRequest, ListCapturedRequest__Output as _postrider_intake_v1_ListCapturedRequest__Output } from '../../../postrider/intake/v1/ListCapturedRequest.ts';
import type { ListEmailsReply as _postrider_intake_v1_ListEmailsReply, ListEmailsReply__Output as _postrider_intake_v1_ListEmailsReply__Output } from '../../../postrider/intake/v1/ListEmailsReply.ts';
import type { ListEmailsRequest as _postrider_intake_v1_ListEmailsRequest, ListEmailsRequest__Output as _postrider_intake_v1_ListEmailsRequest__Output } from '../../../postrider/intake/v1/ListEmailsRequest.ts';
import type { RawReply as _postrider_intake_v1_RawReply, RawReply__Output as _postrider_intake_v1_RawReply__Output } from '../../../postrider/intake/v1/RawReply.ts';
import type { ResolveRequest as _postrider_intake_v1_ResolveRequest, ResolveRequest__Output as _postrider_intake_v1_ResolveRequest__Output } from '../../../postrider/intake/v1/ResolveRequest.ts';
import type { SubmitReply as _postrider_intake_v1_SubmitReply, SubmitReply__Output as _postrider_intake_v1_SubmitReply__Output } from '../../../postrider/intake/v1/SubmitReply.ts';
import type { SubmitRequest as _postrider_intake_v1_SubmitRequest, SubmitRequest__Output as _postrider_intake_v1_SubmitRequest__Output } from '../../../postrider/intake/v1/SubmitRequest.ts';

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
  
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  GetCaptured(argument: _postrider_intake_v1_GetCapturedRequest, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  getCaptured(argument: _postrider_intake_v1_GetCapturedRequest, callback: grpc.requestCallback<_postrider_intake_v1_CapturedReply__Output>): grpc.ClientUnaryCall;
  
  GetEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  GetEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  GetEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  GetEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  getEmail(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  
  GetRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  GetRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  GetRaw(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  GetRaw(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  getRaw(argument: _postrider_intake_v1_EmailRequest, callback: grpc.requestCallback<_postrider_intake_v1_RawReply__Output>): grpc.ClientUnaryCall;
  
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
  
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  ResolveEmail(argument: _postrider_intake_v1_ResolveRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  resolveEmail(argument: _postrider_intake_v1_ResolveRequest, callback: grpc.requestCallback<_postrider_intake_v1_EmailReply__Output>): grpc.ClientUnaryCall;
  
  Submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  Submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  Submit(argument: _postrider_intake_v1_SubmitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  Submit(argument: _postrider_intake_v1_SubmitRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  submit(argument: _postrider_intake_v1_SubmitRequest, callback: grpc.requestCallback<_postrider_intake_v1_SubmitReply__Output>): grpc.ClientUnaryCall;
  
}

export interface IntakeHandlers extends grpc.UntypedServiceImplementation {
  CancelEmail: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply>;
  
  Check: grpc.handleUnaryCall<_postrider_intake_v1_CheckRequest__Output, _postrider_intake_v1_CheckReply>;
  
  GetCaptured: grpc.handleUnaryCall<_postrider_intake_v1_GetCapturedRequest__Output, _postrider_intake_v1_CapturedReply>;
  
  GetEmail: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply>;
  
  GetRaw: grpc.handleUnaryCall<_postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_RawReply>;
  
  ListCaptured: grpc.handleUnaryCall<_postrider_intake_v1_ListCapturedRequest__Output, _postrider_intake_v1_ListCapturedReply>;
  
  ListEmails: grpc.handleUnaryCall<_postrider_intake_v1_ListEmailsRequest__Output, _postrider_intake_v1_ListEmailsReply>;
  
  ResolveEmail: grpc.handleUnaryCall<_postrider_intake_v1_ResolveRequest__Output, _postrider_intake_v1_EmailReply>;
  
  Submit: grpc.handleUnaryCall<_postrider_intake_v1_SubmitRequest__Output, _postrider_intake_v1_SubmitReply>;
  
}

export interface IntakeDefinition extends grpc.ServiceDefinition {
  CancelEmail: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply__Output>
  Check: MethodDefinition<_postrider_intake_v1_CheckRequest, _postrider_intake_v1_CheckReply, _postrider_intake_v1_CheckRequest__Output, _postrider_intake_v1_CheckReply__Output>
  GetCaptured: MethodDefinition<_postrider_intake_v1_GetCapturedRequest, _postrider_intake_v1_CapturedReply, _postrider_intake_v1_GetCapturedRequest__Output, _postrider_intake_v1_CapturedReply__Output>
  GetEmail: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_EmailReply__Output>
  GetRaw: MethodDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_RawReply, _postrider_intake_v1_EmailRequest__Output, _postrider_intake_v1_RawReply__Output>
  ListCaptured: MethodDefinition<_postrider_intake_v1_ListCapturedRequest, _postrider_intake_v1_ListCapturedReply, _postrider_intake_v1_ListCapturedRequest__Output, _postrider_intake_v1_ListCapturedReply__Output>
  ListEmails: MethodDefinition<_postrider_intake_v1_ListEmailsRequest, _postrider_intake_v1_ListEmailsReply, _postrider_intake_v1_ListEmailsRequest__Output, _postrider_intake_v1_ListEmailsReply__Output>
  ResolveEmail: MethodDefinition<_postrider_intake_v1_ResolveRequest, _postrider_intake_v1_EmailReply, _postrider_intake_v1_ResolveRequest__Output, _postrider_intake_v1_EmailReply__Output>
  Submit: MethodDefinition<_postrider_intake_v1_SubmitRequest, _postrider_intake_v1_SubmitReply, _postrider_intake_v1_SubmitRequest__Output, _postrider_intake_v1_SubmitReply__Output>
}
