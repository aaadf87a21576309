// Original file: protos/postrider/accounts/v1/accounts.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ApiKey as _postrider_accounts_v1_ApiKey, ApiKey__Output as _postrider_accounts_v1_ApiKey__Output } from '../../../postrider/accounts/v1/ApiKey.ts';
import type { AuthenticateKeyRequest as _postrider_accounts_v1_AuthenticateKeyRequest, AuthenticateKeyRequest__Output as _postrider_accounts_v1_AuthenticateKeyRequest__Output } from '../../../postrider/accounts/v1/AuthenticateKeyRequest.ts';
import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';
import type { CreateKeyRequest as _postrider_accounts_v1_CreateKeyRequest, CreateKeyRequest__Output as _postrider_accounts_v1_CreateKeyRequest__Output } from '../../../postrider/accounts/v1/CreateKeyRequest.ts';
import type { CreatedKey as _postrider_accounts_v1_CreatedKey, CreatedKey__Output as _postrider_accounts_v1_CreatedKey__Output } from '../../../postrider/accounts/v1/CreatedKey.ts';
import type { KeyList as _postrider_accounts_v1_KeyList, KeyList__Output as _postrider_accounts_v1_KeyList__Output } from '../../../postrider/accounts/v1/KeyList.ts';
import type { KeyRequest as _postrider_accounts_v1_KeyRequest, KeyRequest__Output as _postrider_accounts_v1_KeyRequest__Output } from '../../../postrider/accounts/v1/KeyRequest.ts';
import type { ListWorkspacesRequest as _postrider_accounts_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _postrider_accounts_v1_ListWorkspacesRequest__Output } from '../../../postrider/accounts/v1/ListWorkspacesRequest.ts';
import type { LogInRequest as _postrider_accounts_v1_LogInRequest, LogInRequest__Output as _postrider_accounts_v1_LogInRequest__Output } from '../../../postrider/accounts/v1/LogInRequest.ts';
import type { Nothing as _postrider_accounts_v1_Nothing, Nothing__Output as _postrider_accounts_v1_Nothing__Output } from '../../../postrider/accounts/v1/Nothing.ts';
import type { SessionReply as _postrider_accounts_v1_SessionReply, SessionReply__Output as _postrider_accounts_v1_SessionReply__Output } from '../../../postrider/accounts/v1/SessionReply.ts';
import type { SessionRequest as _postrider_accounts_v1_SessionRequest, SessionRequest__Output as _postrider_accounts_v1_SessionRequest__Output } from '../../../postrider/accounts/v1/SessionRequest.ts';
import type { SignUpRequest as _postrider_accounts_v1_SignUpRequest, SignUpRequest__Output as _postrider_accounts_v1_SignUpRequest__Output } from '../../../postrider/accounts/v1/SignUpRequest.ts';
import type { UpdateKeyRequest as _postrider_accounts_v1_UpdateKeyRequest, UpdateKeyRequest__Output as _postrider_accounts_v1_UpdateKeyRequest__Output } from '../../../postrider/accounts/v1/UpdateKeyRequest.ts';
import type { UpdateWorkspaceRequest as _postrider_accounts_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _postrider_accounts_v1_UpdateWorkspaceRequest__Output } from '../../../postrider/accounts/v1/UpdateWorkspaceRequest.ts';
import type { Workspace as _postrider_accounts_v1_Workspace, Workspace__Output as _postrider_accounts_v1_Workspace__Output } from '../../../postrider/accounts/v1/Workspace.ts';
import type { WorkspaceControls as _postrider_accounts_v1_WorkspaceControls, WorkspaceControls__Output as _postrider_accounts_v1_WorkspaceControls__Output } from '../../../postrider/accounts/v1/WorkspaceControls.ts';
import type { WorkspaceList as _postrider_accounts_v1_WorkspaceList, WorkspaceList__Output as _postrider_accounts_v1_WorkspaceList__Output } from '../../../postrider/accounts/v1/WorkspaceList.ts';
import type { WorkspaceRequest as _postrider_accounts_v1_WorkspaceRequest, WorkspaceRequest__Output as _postrider_accounts_v1_WorkspaceRequest__Output } from '../../../postrider/accounts/v1/WorkspaceRequest.ts';

export interface AccountsClient extends grpc.Client {
  AuthenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  AuthenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  AuthenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  AuthenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  authenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  authenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  authenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  authenticateKey(argument: _postrider_accounts_v1_AuthenticateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Caller__Output>): grpc.ClientUnaryCall;
  
  AuthenticateSession(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  AuthenticateSession(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  AuthenticateSession(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  AuthenticateSession(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  authenticateSession(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  authenticateSession(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  authenticateSession(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  authenticateSession(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  
  ListWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _postrider_accounts_v1_ListWorkspacesRequest, callback: grpc.requestCallback<_postrider_accounts_v1_WorkspaceList__Output>): grpc.ClientUnaryCall;
  
  LogIn(argument: _postrider_accounts_v1_LogInRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  LogIn(argument: _postrider_accounts_v1_LogInRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  LogIn(argument: _postrider_accounts_v1_LogInRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  LogIn(argument: _postrider_accounts_v1_LogInRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  logIn(argument: _postrider_accounts_v1_LogInRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  logIn(argument: _postrider_accounts_v1_LogInRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  logIn(argument: _postrider_accounts_v1_LogInRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  logIn(argument: _postrider_accounts_v1_LogInRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  LogOut(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  LogOut(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  LogOut(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  LogOut(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  logOut(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  logOut(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  logOut(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  logOut(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  UpdateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  UpdateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  UpdateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  UpdateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  updateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  updateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  updateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  updateKey(argument: _postrider_accounts_v1_UpdateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_ApiKey__Output>): grpc.ClientUnaryCall;
  
  UpdateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  UpdateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  UpdateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  UpdateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _postrider_accounts_v1_UpdateWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
}

export interface AccountsHandlers extends grpc.UntypedServiceImplementation {
  AuthenticateKey: grpc.handleUnaryCall<_postrider_accounts_v1_AuthenticateKeyRequest__Output, _postrider_accounts_v1_Caller>;
  
  AuthenticateSession: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  CreateKey: grpc.handleUnaryCall<_postrider_accounts_v1_CreateKeyRequest__Output, _postrider_accounts_v1_CreatedKey>;
  
  GetWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace>;
  
  ListKeys: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_KeyList>;
  
  ListWorkspaces: grpc.handleUnaryCall<_postrider_accounts_v1_ListWorkspacesRequest__Output, _postrider_accounts_v1_WorkspaceList>;
  
  LogIn: grpc.handleUnaryCall<_postrider_accounts_v1_LogInRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  LogOut: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_Nothing>;
  
  RevokeKey: grpc.handleUnaryCall<_postrider_accounts_v1_KeyRequest__Output, _postrider_accounts_v1_Nothing>;
  
  SetWorkspaceControls: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceControls__Output, _postrider_accounts_v1_Workspace>;
  
  SignUp: grpc.handleUnaryCall<_postrider_accounts_v1_SignUpRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  UpdateKey: grpc.handleUnaryCall<_postrider_accounts_v1_UpdateKeyRequest__Output, _postrider_accounts_v1_ApiKey>;
  
  UpdateWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_UpdateWorkspaceRequest__Output, _postrider_accounts_v1_Workspace>;
  
}

export interface AccountsDefinition extends grpc.ServiceDefinition {
  AuthenticateKey: MethodDefinition<_postrider_accounts_v1_AuthenticateKeyRequest, _postrider_accounts_v1_Caller, _postrider_accounts_v1_AuthenticateKeyRequest__Output, _postrider_accounts_v1_Caller__Output>
  AuthenticateSession: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  CreateKey: MethodDefinition<_postrider_accounts_v1_CreateKeyRequest, _postrider_accounts_v1_CreatedKey, _postrider_accounts_v1_CreateKeyRequest__Output, _postrider_accounts_v1_CreatedKey__Output>
  GetWorkspace: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace__Output>
  ListKeys: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_KeyList, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_KeyList__Output>
  ListWorkspaces: MethodDefinition<_postrider_accounts_v1_ListWorkspacesRequest, _postrider_accounts_v1_WorkspaceList, _postrider_accounts_v1_ListWorkspacesRequest__Output, _postrider_accounts_v1_WorkspaceList__Output>
  LogIn: MethodDefinition<_postrider_accounts_v1_LogInRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_LogInRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  LogOut: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_Nothing__Output>
  RevokeKey: MethodDefinition<_postrider_accounts_v1_KeyRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_KeyRequest__Output, _postrider_accounts_v1_Nothing__Output>
  SetWorkspaceControls: MethodDefinition<_postrider_accounts_v1_WorkspaceControls, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_WorkspaceControls__Output, _postrider_accounts_v1_Workspace__Output>
  SignUp: MethodDefinition<_postrider_accounts_v1_SignUpRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SignUpRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  UpdateKey: MethodDefinition<_postrider_accounts_v1_UpdateKeyRequest, _postrider_accounts_v1_ApiKey, _postrider_accounts_v1_UpdateKeyRequest__Output, _postrider_accounts_v1_ApiKey__Output>
  UpdateWorkspace: MethodDefinition<_postrider_accounts_v1_UpdateWorkspaceRequest, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_UpdateWorkspaceRequest__Output, _postrider_accounts_v1_Workspace__Output>
}
