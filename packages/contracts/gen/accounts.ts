import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AccountsClient as _postrider_accounts_v1_AccountsClient, AccountsDefinition as _postrider_accounts_v1_AccountsDefinition } from './postrider/accounts/v1/Accounts.ts';
import type { ApiKey as _postrider_accounts_v1_ApiKey, ApiKey__Output as _postrider_accounts_v1_ApiKey__Output } from './postrider/accounts/v1/ApiKey.ts';
import type { AuthenticateKeyRequest as _postrider_accounts_v1_AuthenticateKeyRequest, AuthenticateKeyRequest__Output as _postrider_accounts_v1_AuthenticateKeyRequest__Output } from './postrider/accounts/v1/AuthenticateKeyRequest.ts';
import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from './postrider/accounts/v1/Caller.ts';
import type { CreateKeyRequest as _postrider_accounts_v1_CreateKeyRequest, CreateKeyRequest__Output as _postrider_accounts_v1_CreateKeyRequest__Output } from './postrider/accounts/v1/CreateKeyRequest.ts';
import type { CreatedKey as _postrider_accounts_v1_CreatedKey, CreatedKey__Output as _postrider_accounts_v1_CreatedKey__Output } from './postrider/accounts/v1/CreatedKey.ts';
import type { KeyList as _postrider_accounts_v1_KeyList, KeyList__Output as _postrider_accounts_v1_KeyList__Output } from './postrider/accounts/v1/KeyList.ts';
import type { KeyRequest as _postrider_accounts_v1_KeyRequest, KeyRequest__Output as _postrider_accounts_v1_KeyRequest__Output } from './postrider/accounts/v1/KeyRequest.ts';
import type { ListWorkspacesRequest as _postrider_accounts_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _postrider_accounts_v1_ListWorkspacesRequest__Output } from './postrider/accounts/v1/ListWorkspacesRequest.ts';
import type { LogInRequest as _postrider_accounts_v1_LogInRequest, LogInRequest__Output as _postrider_accounts_v1_LogInRequest__Output } from './postrider/accounts/v1/LogInRequest.ts';
import type { Nothing as _postrider_accounts_v1_Nothing, Nothing__Output as _postrider_accounts_v1_Nothing__Output } from './postrider/accounts/v1/Nothing.ts';
import type { SessionReply as _postrider_accounts_v1_SessionReply, SessionReply__Output as _postrider_accounts_v1_SessionReply__Output } from './postrider/accounts/v1/SessionReply.ts';
import type { SessionRequest as _postrider_accounts_v1_SessionRequest, SessionRequest__Output as _postrider_accounts_v1_SessionRequest__Output } from './postrider/accounts/v1/SessionRequest.ts';
import type { SignUpRequest as _postrider_accounts_v1_SignUpRequest, SignUpRequest__Output as _postrider_accounts_v1_SignUpRequest__Output } from './postrider/accounts/v1/SignUpRequest.ts';
import type { UpdateKeyRequest as _postrider_accounts_v1_UpdateKeyRequest, UpdateKeyRequest__Output as _postrider_accounts_v1_UpdateKeyRequest__Output } from './postrider/accounts/v1/UpdateKeyRequest.ts';
import type { UpdateWorkspaceRequest as _postrider_accounts_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _postrider_accounts_v1_UpdateWorkspaceRequest__Output } from './postrider/accounts/v1/UpdateWorkspaceRequest.ts';
import type { Workspace as _postrider_accounts_v1_Workspace, Workspace__Output as _postrider_accounts_v1_Workspace__Output } from './postrider/accounts/v1/Workspace.ts';
import type { WorkspaceControls as _postrider_accounts_v1_WorkspaceControls, WorkspaceControls__Output as _postrider_accounts_v1_WorkspaceControls__Output } from './postrider/accounts/v1/WorkspaceControls.ts';
import type { WorkspaceList as _postrider_accounts_v1_WorkspaceList, WorkspaceList__Output as _postrider_accounts_v1_WorkspaceList__Output } from './postrider/accounts/v1/WorkspaceList.ts';
import type { WorkspaceRequest as _postrider_accounts_v1_WorkspaceRequest, WorkspaceRequest__Output as _postrider_accounts_v1_WorkspaceRequest__Output } from './postrider/accounts/v1/WorkspaceRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    accounts: {
      v1: {
        Accounts: SubtypeConstructor<typeof grpc.Client, _postrider_accounts_v1_AccountsClient> & { service: _postrider_accounts_v1_AccountsDefinition }
        ApiKey: MessageTypeDefinition<_postrider_accounts_v1_ApiKey, _postrider_accounts_v1_ApiKey__Output>
        AuthenticateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_AuthenticateKeyRequest, _postrider_accounts_v1_AuthenticateKeyRequest__Output>
        Caller: MessageTypeDefinition<_postrider_accounts_v1_Caller, _postrider_accounts_v1_Caller__Output>
        CreateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_CreateKeyRequest, _postrider_accounts_v1_CreateKeyRequest__Output>
        CreatedKey: MessageTypeDefinition<_postrider_accounts_v1_CreatedKey, _postrider_accounts_v1_CreatedKey__Output>
        KeyList: MessageTypeDefinition<_postrider_accounts_v1_KeyList, _postrider_accounts_v1_KeyList__Output>
        KeyRequest: MessageTypeDefinition<_postrider_accounts_v1_KeyRequest, _postrider_accounts_v1_KeyRequest__Output>
        ListWorkspacesRequest: MessageTypeDefinition<_postrider_accounts_v1_ListWorkspacesRequest, _postrider_accounts_v1_ListWorkspacesRequest__Output>
        LogInRequest: MessageTypeDefinition<_postrider_accounts_v1_LogInRequest, _postrider_accounts_v1_LogInRequest__Output>
        Nothing: MessageTypeDefinition<_postrider_accounts_v1_Nothing, _postrider_accounts_v1_Nothing__Output>
        SessionReply: MessageTypeDefinition<_postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SessionReply__Output>
        SessionRequest: MessageTypeDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_SessionRequest__Output>
        SignUpRequest: MessageTypeDefinition<_postrider_accounts_v1_SignUpRequest, _postrider_accounts_v1_SignUpRequest__Output>
        UpdateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateKeyRequest, _postrider_accounts_v1_UpdateKeyRequest__Output>
        UpdateWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateWorkspaceRequest, _postrider_accounts_v1_UpdateWorkspaceRequest__Output>
        Workspace: MessageTypeDefinition<_postrider_accounts_v1_Workspace, _postrider_accounts_v1_Workspace__Output>
        WorkspaceControls: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceControls, _postrider_accounts_v1_WorkspaceControls__Output>
        WorkspaceList: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceList, _postrider_accounts_v1_WorkspaceList__Output>
        WorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_WorkspaceRequest__Output>
      }
    }
  }
}

