import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { CreateRequest as _postrider_templates_v1_CreateRequest, CreateRequest__Output as _postrider_templates_v1_CreateRequest__Output } from './postrider/templates/v1/CreateRequest.ts';
import type { DeleteReply as _postrider_templates_v1_DeleteReply, DeleteReply__Output as _postrider_templates_v1_DeleteReply__Output } from './postrider/templates/v1/DeleteReply.ts';
import type { DeleteRequest as _postrider_templates_v1_DeleteRequest, DeleteRequest__Output as _postrider_templates_v1_DeleteRequest__Output } from './postrider/templates/v1/DeleteRequest.ts';
import type { GetRequest as _postrider_templates_v1_GetRequest, GetRequest__Output as _postrider_templates_v1_GetRequest__Output } from './postrider/templates/v1/GetRequest.ts';
import type { ListReply as _postrider_templates_v1_ListReply, ListReply__Output as _postrider_templates_v1_ListReply__Output } from './postrider/templates/v1/ListReply.ts';
import type { ListRequest as _postrider_templates_v1_ListRequest, ListRequest__Output as _postrider_templates_v1_ListRequest__Output } from './postrider/templates/v1/ListRequest.ts';
import type { ListVersionsRequest as _postrider_templates_v1_ListVersionsRequest, ListVersionsRequest__Output as _postrider_templates_v1_ListVersionsRequest__Output } from './postrider/templates/v1/ListVersionsRequest.ts';
import type { PreviewDraftRequest as _postrider_templates_v1_PreviewDraftRequest, PreviewDraftRequest__Output as _postrider_templates_v1_PreviewDraftRequest__Output } from './postrider/templates/v1/PreviewDraftRequest.ts';
import type { PreviewReply as _postrider_templates_v1_PreviewReply, PreviewReply__Output as _postrider_templates_v1_PreviewReply__Output } from './postrider/templates/v1/PreviewReply.ts';
import type { PreviewRequest as _postrider_templates_v1_PreviewRequest, PreviewRequest__Output as _postrider_templates_v1_PreviewRequest__Output } from './postrider/templates/v1/PreviewRequest.ts';
import type { RestoreRequest as _postrider_templates_v1_RestoreRequest, RestoreRequest__Output as _postrider_templates_v1_RestoreRequest__Output } from './postrider/templates/v1/RestoreRequest.ts';
import type { Template as _postrider_templates_v1_Template, Template__Output as _postrider_templates_v1_Template__Output } from './postrider/templates/v1/Template.ts';
import type { TemplatesClient as _postrider_templates_v1_TemplatesClient, TemplatesDefinition as _postrider_templates_v1_TemplatesDefinition } from './postrider/templates/v1/Templates.ts';
import type { UpdateRequest as _postrider_templates_v1_UpdateRequest, UpdateRequest__Output as _postrider_templates_v1_UpdateRequest__Output } from './postrider/templates/v1/UpdateRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    templates: {
      v1: {
        CreateRequest: MessageTypeDefinition<_postrider_templates_v1_CreateRequest, _postrider_templates_v1_CreateRequest__Output>
        DeleteReply: MessageTypeDefinition<_postrider_templates_v1_DeleteReply, _postrider_templates_v1_DeleteReply__Output>
        DeleteRequest: MessageTypeDefinition<_postrider_templates_v1_DeleteRequest, _postrider_templates_v1_DeleteRequest__Output>
        GetRequest: MessageTypeDefinition<_postrider_templates_v1_GetRequest, _postrider_templates_v1_GetRequest__Output>
        ListReply: MessageTypeDefinition<_postrider_templates_v1_ListReply, _postrider_templates_v1_ListReply__Output>
        ListRequest: MessageTypeDefinition<_postrider_templates_v1_ListRequest, _postrider_templates_v1_ListRequest__Output>
        ListVersionsRequest: MessageTypeDefinition<_postrider_templates_v1_ListVersionsRequest, _postrider_templates_v1_ListVersionsRequest__Output>
        PreviewDraftRequest: MessageTypeDefinition<_postrider_templates_v1_PreviewDraftRequest, _postrider_templates_v1_PreviewDraftRequest__Output>
        PreviewReply: MessageTypeDefinition<_postrider_templates_v1_PreviewReply, _postrider_templates_v1_PreviewReply__Output>
        PreviewRequest: MessageTypeDefinition<_postrider_templates_v1_PreviewRequest, _postrider_templates_v1_PreviewRequest__Output>
        RestoreRequest: MessageTypeDefinition<_postrider_templates_v1_RestoreRequest, _postrider_templates_v1_RestoreRequest__Output>
        Template: MessageTypeDefinition<_postrider_templates_v1_Template, _postrider_templates_v1_Template__Output>
        Templates: SubtypeConstructor<typeof grpc.Client, _postrider_templates_v1_TemplatesClient> & { service: _postrider_templates_v1_TemplatesDefinition }
        UpdateRequest: MessageTypeDefinition<_postrider_templates_v1_UpdateRequest, _postrider_templates_v1_UpdateRequest__Output>
      }
    }
  }
}

