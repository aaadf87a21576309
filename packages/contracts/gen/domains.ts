import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { ChangeRequest as _postrider_domains_v1_ChangeRequest, ChangeRequest__Output as _postrider_domains_v1_ChangeRequest__Output } from './postrider/domains/v1/ChangeRequest.ts';
import type { CreateRequest as _postrider_domains_v1_CreateRequest, CreateRequest__Output as _postrider_domains_v1_CreateRequest__Output } from './postrider/domains/v1/CreateRequest.ts';
import type { Domain as _postrider_domains_v1_Domain, Domain__Output as _postrider_domains_v1_Domain__Output } from './postrider/domains/v1/Domain.ts';
import type { DomainRequest as _postrider_domains_v1_DomainRequest, DomainRequest__Output as _postrider_domains_v1_DomainRequest__Output } from './postrider/domains/v1/DomainRequest.ts';
import type { DomainsClient as _postrider_domains_v1_DomainsClient, DomainsDefinition as _postrider_domains_v1_DomainsDefinition } from './postrider/domains/v1/Domains.ts';
import type { ListReply as _postrider_domains_v1_ListReply, ListReply__Output as _postrider_domains_v1_ListReply__Output } from './postrider/domains/v1/ListReply.ts';
import type { ListRequest as _postrider_domains_v1_ListRequest, ListRequest__Output as _postrider_domains_v1_ListRequest__Output } from './postrider/domains/v1/ListRequest.ts';
import type { Nothing as _postrider_domains_v1_Nothing, Nothing__Output as _postrider_domains_v1_Nothing__Output } from './postrider/domains/v1/Nothing.ts';
import type { Record as _postrider_domains_v1_Record, Record__Output as _postrider_domains_v1_Record__Output } from './postrider/domains/v1/Record.ts';
import type { UpdateRequest as _postrider_domains_v1_UpdateRequest, UpdateRequest__Output as _postrider_domains_v1_UpdateRequest__Output } from './postrider/domains/v1/UpdateRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    domains: {
      v1: {
        ChangeRequest: MessageTypeDefinition<_postrider_domains_v1_ChangeRequest, _postrider_domains_v1_ChangeRequest__Output>
        CreateRequest: MessageTypeDefinition<_postrider_domains_v1_CreateRequest, _postrider_domains_v1_CreateRequest__Output>
        Domain: MessageTypeDefinition<_postrider_domains_v1_Domain, _postrider_domains_v1_Domain__Output>
        DomainRequest: MessageTypeDefinition<_postrider_domains_v1_DomainRequest, _postrider_domains_v1_DomainRequest__Output>
        Domains: SubtypeConstructor<typeof grpc.Client, _postrider_domains_v1_DomainsClient> & { service: _postrider_domains_v1_DomainsDefinition }
        ListReply: MessageTypeDefinition<_postrider_domains_v1_ListReply, _postrider_domains_v1_ListReply__Output>
        ListRequest: MessageTypeDefinition<_postrider_domains_v1_ListRequest, _postrider_domains_v1_ListRequest__Output>
        Nothing: MessageTypeDefinition<_postrider_domains_v1_Nothing, _postrider_domains_v1_Nothing__Output>
        Record: MessageTypeDefinition<_postrider_domains_v1_Record, _postrider_domains_v1_Record__Output>
        UpdateRequest: MessageTypeDefinition<_postrider_domains_v1_UpdateRequest, _postrider_domains_v1_UpdateRequest__Output>
      }
    }
  }
}

