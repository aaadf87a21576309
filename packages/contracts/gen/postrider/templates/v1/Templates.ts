// Original file: protos/postrider/templates/v1/templates.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateRequest as _postrider_templates_v1_CreateRequest, CreateRequest__Output as _postrider_templates_v1_CreateRequest__Output } from '../../../postrider/templates/v1/CreateRequest.ts';
import type { DeleteReply as _postrider_templates_v1_DeleteReply, DeleteReply__Output as _postrider_templates_v1_DeleteReply__Output } from '../../../postrider/templates/v1/DeleteReply.ts';
import type { DeleteRequest as _postrider_templates_v1_DeleteRequest, DeleteRequest__Output as _postrider_templates_v1_DeleteRequest__Output } from '../../../postrider/templates/v1/DeleteRequest.ts';
import type { GetRequest as _postrider_templates_v1_GetRequest, GetRequest__Output as _postrider_templates_v1_GetRequest__Output } from '../../../postrider/templates/v1/GetRequest.ts';
import type { ListReply as _postrider_templates_v1_ListReply, ListReply__Output as _postrider_templates_v1_ListReply__Output } from '../../../postrider/templates/v1/ListReply.ts';
import type { ListRequest as _postrider_templates_v1_ListRequest, ListRequest__Output as _postrider_templates_v1_ListRequest__Output } from '../../../postrider/templates/v1/ListRequest.ts';
import type { ListVersionsRequest as _postrider_templates_v1_ListVersionsRequest, ListVersionsRequest__Output as _postrider_templates_v1_ListVersionsRequest__Output } from '../../../postrider/templates/v1/ListVersionsRequest.ts';
import type { PreviewDraftRequest as _postrider_templates_v1_PreviewDraftRequest, PreviewDraftRequest__Output as _postrider_templates_v1_PreviewDraftRequest__Output } from '../../../postrider/templates/v1/PreviewDraftRequest.ts';
import type { PreviewReply as _postrider_templates_v1_PreviewReply, PreviewReply__Output as _postrider_templates_v1_PreviewReply__Output } from '../../../postrider/templates/v1/PreviewReply.ts';
import type { PreviewRequest as _postrider_templates_v1_PreviewRequest, PreviewRequest__Output as _postrider_templates_v1_PreviewRequest__Output } from '../../../postrider/templates/v1/PreviewRequest.ts';
import type { RestoreRequest as _postrider_templates_v1_RestoreRequest, RestoreRequest__Output as _postrider_templates_v1_RestoreRequest__Output } from '../../../postrider/templates/v1/RestoreRequest.ts';
import type { Template as _postrider_templates_v1_Template, Template__Output as _postrider_templates_v1_Template__Output } from '../../../postrider/templates/v1/Template.ts';
import type { UpdateRequest as _postrider_templates_v1_UpdateRequest, UpdateRequest__Output as _postrider_templates_v1_UpdateRequest__Output } from '../../../postrider/templates/v1/UpdateRequest.ts';

export interface TemplatesClient extends grpc.Client {
  Create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_templates_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_templates_v1_CreateRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_templates_v1_CreateRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  
  Delete(argument: _postrider_templates_v1_DeleteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_templates_v1_DeleteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_templates_v1_DeleteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_templates_v1_DeleteRequest, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_templates_v1_DeleteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_templates_v1_DeleteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_templates_v1_DeleteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_templates_v1_DeleteRequest, callback: grpc.requestCallback<_postrider_templates_v1_DeleteReply__Output>): grpc.ClientUnaryCall;
  
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
  
  ListVersions(argument: _postrider_templates_v1_ListVersionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  ListVersions(argument: _postrider_templates_v1_ListVersionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  ListVersions(argument: _postrider_templates_v1_ListVersionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  ListVersions(argument: _postrider_templates_v1_ListVersionsRequest, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listVersions(argument: _postrider_templates_v1_ListVersionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listVersions(argument: _postrider_templates_v1_ListVersionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listVersions(argument: _postrider_templates_v1_ListVersionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listVersions(argument: _postrider_templates_v1_ListVersionsRequest, callback: grpc.requestCallback<_postrider_templates_v1_ListReply__Output>): grpc.ClientUnaryCall;
  
  Preview(argument: _postrider_templates_v1_PreviewRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  Preview(argument: _postrider_templates_v1_PreviewRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  Preview(argument: _postrider_templates_v1_PreviewRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  Preview(argument: _postrider_templates_v1_PreviewRequest, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  preview(argument: _postrider_templates_v1_PreviewRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  preview(argument: _postrider_templates_v1_PreviewRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  preview(argument: _postrider_templates_v1_PreviewRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  preview(argument: _postrider_templates_v1_PreviewRequest, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  
  PreviewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  PreviewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  PreviewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  PreviewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  previewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  previewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  previewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  previewDraft(argument: _postrider_templates_v1_PreviewDraftRequest, callback: grpc.requestCallback<_postrider_templates_v1_PreviewReply__Output>): grpc.ClientUnaryCall;
  
  Restore(argument: _postrider_templates_v1_RestoreRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Restore(argument: _postrider_templates_v1_RestoreRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Restore(argument: _postrider_templates_v1_RestoreRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Restore(argument: _postrider_templates_v1_RestoreRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  restore(argument: _postrider_templates_v1_RestoreRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  restore(argument: _postrider_templates_v1_RestoreRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  restore(argument: _postrider_templates_v1_RestoreRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  restore(argument: _postrider_templates_v1_RestoreRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  
  Update(argument: _postrider_templates_v1_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_templates_v1_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_templates_v1_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_templates_v1_UpdateRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_templates_v1_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_templates_v1_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_templates_v1_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_templates_v1_UpdateRequest, callback: grpc.requestCallback<_postrider_templates_v1_Template__Output>): grpc.ClientUnaryCall;
  
}

export interface TemplatesHandlers extends grpc.UntypedServiceImplementation {
  Create: grpc.handleUnaryCall<_postrider_templates_v1_CreateRequest__Output, _postrider_templates_v1_Template>;
  
  Delete: grpc.handleUnaryCall<_postrider_templates_v1_DeleteRequest__Output, _postrider_templates_v1_DeleteReply>;
  
  Get: grpc.handleUnaryCall<_postrider_templates_v1_GetRequest__Output, _postrider_templates_v1_Template>;
  
  List: grpc.handleUnaryCall<_postrider_templates_v1_ListRequest__Output, _postrider_templates_v1_ListReply>;
  
  ListVersions: grpc.handleUnaryCall<_postrider_templates_v1_ListVersionsRequest__Output, _postrider_templates_v1_ListReply>;
  
  Preview: grpc.handleUnaryCall<_postrider_templates_v1_PreviewRequest__Output, _postrider_templates_v1_PreviewReply>;
  
  PreviewDraft: grpc.handleUnaryCall<_postrider_templates_v1_PreviewDraftRequest__Output, _postrider_templates_v1_PreviewReply>;
  
  Restore: grpc.handleUnaryCall<_postrider_templates_v1_RestoreRequest__Output, _postrider_templates_v1_Template>;
  
  Update: grpc.handleUnaryCall<_postrider_templates_v1_UpdateRequest__Output, _postrider_templates_v1_Template>;
  
}

export interface TemplatesDefinition extends grpc.ServiceDefinition {
  Create: MethodDefinition<_postrider_templates_v1_CreateRequest, _postrider_templates_v1_Template, _postrider_templates_v1_CreateRequest__Output, _postrider_templates_v1_Template__Output>
  Delete: MethodDefinition<_postrider_templates_v1_DeleteRequest, _postrider_templates_v1_DeleteReply, _postrider_templates_v1_DeleteRequest__Output, _postrider_templates_v1_DeleteReply__Output>
  Get: MethodDefinition<_postrider_templates_v1_GetRequest, _postrider_templates_v1_Template, _postrider_templates_v1_GetRequest__Output, _postrider_templates_v1_Template__Output>
  List: MethodDefinition<_postrider_templates_v1_ListRequest, _postrider_templates_v1_ListReply, _postrider_templates_v1_ListRequest__Output, _postrider_templates_v1_ListReply__Output>
  ListVersions: MethodDefinition<_postrider_templates_v1_ListVersionsRequest, _postrider_templates_v1_ListReply, _postrider_templates_v1_ListVersionsRequest__Output, _postrider_templates_v1_ListReply__Output>
  Preview: MethodDefinition<_postrider_templates_v1_PreviewRequest, _postrider_templates_v1_PreviewReply, _postrider_templates_v1_PreviewRequest__Output, _postrider_templates_v1_PreviewReply__Output>
  PreviewDraft: MethodDefinition<_postrider_templates_v1_PreviewDraftRequest, _postrider_templates_v1_PreviewReply, _postrider_templates_v1_PreviewDraftRequest__Output, _postrider_templates_v1_PreviewReply__Output>
  Restore: MethodDefinition<_postrider_templates_v1_RestoreRequest, _postrider_templates_v1_Template, _postrider_templates_v1_RestoreRequest__Output, _postrider_templates_v1_Template__Output>
  Update: MethodDefinition<_postrider_templates_v1_UpdateRequest, _postrider_templates_v1_Template, _postrider_templates_v1_UpdateRequest__Output, _postrider_templates_v1_Template__Output>
}
