// Original file: protos/postrider/domains/v1/domains.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ChangeRequest as _postrider_domains_v1_ChangeRequest, ChangeRequest__Output as _postrider_domains_v1_ChangeRequest__Output } from '../../../postrider/domains/v1/ChangeRequest.ts';
import type { CreateRequest as _postrider_domains_v1_CreateRequest, CreateRequest__Output as _postrider_domains_v1_CreateRequest__Output } from '../../../postrider/domains/v1/CreateRequest.ts';
import type { Domain as _postrider_domains_v1_Domain, Domain__Output as _postrider_domains_v1_Domain__Output } from '../../../postrider/domains/v1/Domain.ts';
import type { DomainRequest as _postrider_domains_v1_DomainRequest, DomainRequest__Output as _postrider_domains_v1_DomainRequest__Output } from '../../../postrider/domains/v1/DomainRequest.ts';
import type { ListReply as _postrider_domains_v1_ListReply, ListReply__Output as _postrider_domains_v1_ListReply__Output } from '../../../postrider/domains/v1/ListReply.ts';
import type { ListRequest as _postrider_domains_v1_ListRequest, ListRequest__Output as _postrider_domains_v1_ListRequest__Output } from '../../../postrider/domains/v1/ListRequest.ts';
import type { Nothing as _postrider_domains_v1_Nothing, Nothing__Output as _postrider_domains_v1_Nothing__Output } from '../../../postrider/domains/v1/Nothing.ts';
import type { UpdateRequest as _postrider_domains_v1_UpdateRequest, UpdateRequest__Output as _postrider_domains_v1_UpdateRequest__Output } from '../../../postrider/domains/v1/UpdateRequest.ts';

export interface DomainsClient extends grpc.Client {
  Create(argument: _postrider_domains_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_domains_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_domains_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Create(argument: _postrider_domains_v1_CreateRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_domains_v1_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_domains_v1_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_domains_v1_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  create(argument: _postrider_domains_v1_CreateRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  Delete(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_domains_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  Delete(argument: _postrider_domains_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_domains_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  delete(argument: _postrider_domains_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_domains_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  Get(argument: _postrider_domains_v1_DomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_domains_v1_DomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_domains_v1_DomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Get(argument: _postrider_domains_v1_DomainRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_domains_v1_DomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_domains_v1_DomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_domains_v1_DomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  get(argument: _postrider_domains_v1_DomainRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  List(argument: _postrider_domains_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_domains_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_domains_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  List(argument: _postrider_domains_v1_ListRequest, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_domains_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_domains_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_domains_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  list(argument: _postrider_domains_v1_ListRequest, callback: grpc.requestCallback<_postrider_domains_v1_ListReply__Output>): grpc.ClientUnaryCall;
  
  PlatformDomain(argument: _postrider_domains_v1_Nothing, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  PlatformDomain(argument: _postrider_domains_v1_Nothing, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  PlatformDomain(argument: _postrider_domains_v1_Nothing, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  PlatformDomain(argument: _postrider_domains_v1_Nothing, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  platformDomain(argument: _postrider_domains_v1_Nothing, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  platformDomain(argument: _postrider_domains_v1_Nothing, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  platformDomain(argument: _postrider_domains_v1_Nothing, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  platformDomain(argument: _postrider_domains_v1_Nothing, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  RotateKey(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  RotateKey(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  RotateKey(argument: _postrider_domains_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  RotateKey(argument: _postrider_domains_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  rotateKey(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  rotateKey(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  rotateKey(argument: _postrider_domains_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  rotateKey(argument: _postrider_domains_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  Update(argument: _postrider_domains_v1_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_domains_v1_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_domains_v1_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Update(argument: _postrider_domains_v1_UpdateRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_domains_v1_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_domains_v1_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_domains_v1_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  update(argument: _postrider_domains_v1_UpdateRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  Verify(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Verify(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Verify(argument: _postrider_domains_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  Verify(argument: _postrider_domains_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  verify(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  verify(argument: _postrider_domains_v1_ChangeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  verify(argument: _postrider_domains_v1_ChangeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  verify(argument: _postrider_domains_v1_ChangeRequest, callback: grpc.requestCallback<_postrider_domains_v1_Domain__Output>): grpc.ClientUnaryCall;
  
}

export interface DomainsHandlers extends grpc.UntypedServiceImplementation {
  Create: grpc.handleUnaryCall<_postrider_domains_v1_CreateRequest__Output, _postrider_domains_v1_Domain>;
  
  Delete: grpc.handleUnaryCall<_postrider_domains_v1_ChangeRequest__Output, _postrider_domains_v1_Nothing>;
  
  Get: grpc.handleUnaryCall<_postrider_domains_v1_DomainRequest__Output, _postrider_domains_v1_Domain>;
  
  List: grpc.handleUnaryCall<_postrider_domains_v1_ListRequest__Output, _postrider_domains_v1_ListReply>;
  
  PlatformDomain: grpc.handleUnaryCall<_postrider_domains_v1_Nothing__Output, _postrider_domains_v1_Domain>;
  
  RotateKey: grpc.handleUnaryCall<_postrider_domains_v1_ChangeRequest__Output, _postrider_domains_v1_Domain>;
  
  Update: grpc.handleUnaryCall<_postrider_domains_v1_UpdateRequest__Output, _postrider_domains_v1_Domain>;
  
  Verify: grpc.handleUnaryCall<_postrider_domains_v1_ChangeRequest__Output, _postrider_domains_v1_Domain>;
  
}

export interface DomainsDefinition extends grpc.ServiceDefinition {
  Create: MethodDefinition<_postrider_domains_v1_CreateRequest, _postrider_domains_v1_Domain, _postrider_domains_v1_CreateRequest__Output, _postrider_domains_v1_Domain__Output>
  Delete: MethodDefinition<_postrider_domains_v1_ChangeRequest, _postrider_domains_v1_Nothing, _postrider_domains_v1_ChangeRequest__Output, _postrider_domains_v1_Nothing__Output>
  Get: MethodDefinition<_postrider_domains_v1_DomainRequest, _postrider_domains_v1_Domain, _postrider_domains_v1_DomainRequest__Output, _postrider_domains_v1_Domain__Output>
  List: MethodDefinition<_postrider_domains_v1_ListRequest, _postrider_domains_v1_ListReply, _postrider_domains_v1_ListRequest__Output, _postrider_domains_v1_ListReply__Output>
  PlatformDomain: MethodDefinition<_postrider_domains_v1_Nothing, _postrider_domains_v1_Domain, _postrider_domains_v1_Nothing__Output, _postrider_domains_v1_Domain__Output>
  RotateKey: MethodDefinition<_postrider_domains_v1_ChangeRequest, _postrider_domains_v1_Domain, _postrider_domains_v1_ChangeRequest__Output, _postrider_domains_v1_Domain__Output>
  Update: MethodDefinition<_postrider_domains_v1_UpdateRequest, _postrider_domains_v1_Domain, _postrider_domains_v1_UpdateRequest__Output, _postrider_domains_v1_Domain__Output>
  Verify: MethodDefinition<_postrider_domains_v1_ChangeRequest, _postrider_domains_v1_Domain, _postrider_domains_v1_ChangeRequest__Output, _postrider_domains_v1_Domain__Output>
}
