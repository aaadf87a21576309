import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { CreateRequest as _postrider_templates_v1_CreateRequest, CreateRequest__Output as _postrider_templates_v1_CreateRequest__Output } from './postrider/templates/v1/CreateRequest.ts';
import type { GetRequest as _postrider_templates_v1_GetRequest, GetRequest__Output as _postrider_templates_v1_GetRequest__Output } from './postrider/templates/v1/GetRequest.ts';
import type { ListReply as _postrider_templates_v1_ListReply, ListReply__Output as _postrider_templates_v1_ListReply__Output } from './postrider/templates/v1/ListReply.ts';
import type { ListRequest as _postrider_templates_v1_ListRequest, ListRequest__Output as _postrider_templates_v1_ListRequest__Output } from './postrider/templates/v1/ListRequest.ts';
import type { Template as _postrider_templates_v1_Template, Template__Output as _postrider_templates_v1_Template__Output } from './postrider/templates/v1/Template.ts';
import type { TemplatesClient as _postrider_templates_v1_TemplatesClient, TemplatesDefinition as _postrider_templates_v1_TemplatesDefinition } from './postrider/templates/v1/Templates.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    templates: {
      v1: {
        CreateRequest: MessageTypeDefinition<_postrider_templates_v1_CreateRequest, _postrider_templates_v1_CreateRequest__Output>
        GetRequest: MessageTypeDefinition<_postrider_templates_v1_GetRequest, _postrider_templates_v1_GetRequest__Output>
        ListReply: MessageTypeDefinition<_postrider_templates_v1_ListReply, _postrider_templates_v1_ListReply__Output>
        ListRequest: MessageTypeDefinition<_postrider_templates_v1_ListRequest, _postrider_templates_v1_ListRequest__Output>
        Template: MessageTypeDefinition<_postrider_templates_v1_Template, _postrider_templates_v1_Template__Output>
        Templates: SubtypeConstructor<typeof grpc.Client, _postrider_templates_v1_TemplatesClient> & { service: _postrider_templates_v1_TemplatesDefinition }
      }
    }
  }
}

