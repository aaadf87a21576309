// Original file: protos/postrider/accounts/v1/accounts.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AcceptInvitationRequest as _postrider_accounts_v1_AcceptInvitationRequest, AcceptInvitationRequest__Output as _postrider_accounts_v1_AcceptInvitationRequest__Output } from '../../../postrider/accounts/v1/AcceptInvitationRequest.ts';
import type { AddOperatorRequest as _postrider_accounts_v1_AddOperatorRequest, AddOperatorRequest__Output as _postrider_accounts_v1_AddOperatorRequest__Output } from '../../../postrider/accounts/v1/AddOperatorRequest.ts';
import type { ApiKey as _postrider_accounts_v1_ApiKey, ApiKey__Output as _postrider_accounts_v1_ApiKey__Output } from '../../../postrider/accounts/v1/ApiKey.ts';
import type { AuditList as _postrider_accounts_v1_AuditList, AuditList__Output as _postrider_accounts_v1_AuditList__Output } from '../../../postrider/accounts/v1/AuditList.ts';
import type { AuthenticateKeyRequest as _postrider_accounts_v1_AuthenticateKeyRequest, AuthenticateKeyRequest__Output as _postrider_accounts_v1_AuthenticateKeyRequest__Output } from '../../../postrider/accounts/v1/AuthenticateKeyRequest.ts';
import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';
import type { ChangeEmailRequest as _postrider_accounts_v1_ChangeEmailRequest, ChangeEmailRequest__Output as _postrider_accounts_v1_ChangeEmailRequest__Output } from '../../../postrider/accounts/v1/ChangeEmailRequest.ts';
import type { ChangeMemberRequest as _postrider_accounts_v1_ChangeMemberRequest, ChangeMemberRequest__Output as _postrider_accounts_v1_ChangeMemberRequest__Output } from '../../../postrider/accounts/v1/ChangeMemberRequest.ts';
import type { ChangePasswordRequest as _postrider_accounts_v1_ChangePasswordRequest, ChangePasswordRequest__Output as _postrider_accounts_v1_ChangePasswordRequest__Output } from '../../../postrider/accounts/v1/ChangePasswordRequest.ts';
import type { CreateKeyRequest as _postrider_accounts_v1_CreateKeyRequest, CreateKeyRequest__Output as _postrider_accounts_v1_CreateKeyRequest__Output } from '../../../postrider/accounts/v1/CreateKeyRequest.ts';
import type { CreateWorkspaceRequest as _postrider_accounts_v1_CreateWorkspaceRequest, CreateWorkspaceRequest__Output as _postrider_accounts_v1_CreateWorkspaceRequest__Output } from '../../../postrider/accounts/v1/CreateWorkspaceRequest.ts';
import type { CreatedKey as _postrider_accounts_v1_CreatedKey, CreatedKey__Output as _postrider_accounts_v1_CreatedKey__Output } from '../../../postrider/accounts/v1/CreatedKey.ts';
import type { DeleteOwnWorkspaceRequest as _postrider_accounts_v1_DeleteOwnWorkspaceRequest, DeleteOwnWorkspaceRequest__Output as _postrider_accounts_v1_DeleteOwnWorkspaceRequest__Output } from '../../../postrider/accounts/v1/DeleteOwnWorkspaceRequest.ts';
import type { Invitation as _postrider_accounts_v1_Invitation, Invitation__Output as _postrider_accounts_v1_Invitation__Output } from '../../../postrider/accounts/v1/Invitation.ts';
import type { InvitationList as _postrider_accounts_v1_InvitationList, InvitationList__Output as _postrider_accounts_v1_InvitationList__Output } from '../../../postrider/accounts/v1/InvitationList.ts';
import type { InvitationOffer as _postrider_accounts_v1_InvitationOffer, InvitationOffer__Output as _postrider_accounts_v1_InvitationOffer__Output } from '../../../postrider/accounts/v1/InvitationOffer.ts';
import type { InvitationRequest as _postrider_accounts_v1_InvitationRequest, InvitationRequest__Output as _postrider_accounts_v1_InvitationRequest__Output } from '../../../postrider/accounts/v1/InvitationRequest.ts';
import type { InviteRequest as _postrider_accounts_v1_InviteRequest, InviteRequest__Output as _postrider_accounts_v1_InviteRequest__Output } from '../../../postrider/accounts/v1/InviteRequest.ts';
import type { KeyList as _postrider_accounts_v1_KeyList, KeyList__Output as _postrider_accounts_v1_KeyList__Output } from '../../../postrider/accounts/v1/KeyList.ts';
import type { KeyRequest as _postrider_accounts_v1_KeyRequest, KeyRequest__Output as _postrider_accounts_v1_KeyRequest__Output } from '../../../postrider/accounts/v1/KeyRequest.ts';
import type { LinkReply as _postrider_accounts_v1_LinkReply, LinkReply__Output as _postrider_accounts_v1_LinkReply__Output } from '../../../postrider/accounts/v1/LinkReply.ts';
import type { LinkRequest as _postrider_accounts_v1_LinkRequest, LinkRequest__Output as _postrider_accounts_v1_LinkRequest__Output } from '../../../postrider/accounts/v1/LinkRequest.ts';
import type { ListAuditRequest as _postrider_accounts_v1_ListAuditRequest, ListAuditRequest__Output as _postrider_accounts_v1_ListAuditRequest__Output } from '../../../postrider/accounts/v1/ListAuditRequest.ts';
import type { ListUsersRequest as _postrider_accounts_v1_ListUsersRequest, ListUsersRequest__Output as _postrider_accounts_v1_ListUsersRequest__Output } from '../../../postrider/accounts/v1/ListUsersRequest.ts';
import type { ListWorkspacesRequest as _postrider_accounts_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _postrider_accounts_v1_ListWorkspacesRequest__Output } from '../../../postrider/accounts/v1/ListWorkspacesRequest.ts';
import type { LogInRequest as _postrider_accounts_v1_LogInRequest, LogInRequest__Output as _postrider_accounts_v1_LogInRequest__Output } from '../../../postrider/accounts/v1/LogInRequest.ts';
import type { Member as _postrider_accounts_v1_Member, Member__Output as _postrider_accounts_v1_Member__Output } from '../../../postrider/accounts/v1/Member.ts';
import type { MemberList as _postrider_accounts_v1_MemberList, MemberList__Output as _postrider_accounts_v1_MemberList__Output } from '../../../postrider/accounts/v1/MemberList.ts';
import type { MemberRequest as _postrider_accounts_v1_MemberRequest, MemberRequest__Output as _postrider_accounts_v1_MemberRequest__Output } from '../../../postrider/accounts/v1/MemberRequest.ts';
import type { Nothing as _postrider_accounts_v1_Nothing, Nothing__Output as _postrider_accounts_v1_Nothing__Output } from '../../../postrider/accounts/v1/Nothing.ts';
import type { NotificationPreferences as _postrider_accounts_v1_NotificationPreferences, NotificationPreferences__Output as _postrider_accounts_v1_NotificationPreferences__Output } from '../../../postrider/accounts/v1/NotificationPreferences.ts';
import type { NotificationsChange as _postrider_accounts_v1_NotificationsChange, NotificationsChange__Output as _postrider_accounts_v1_NotificationsChange__Output } from '../../../postrider/accounts/v1/NotificationsChange.ts';
import type { OperatorList as _postrider_accounts_v1_OperatorList, OperatorList__Output as _postrider_accounts_v1_OperatorList__Output } from '../../../postrider/accounts/v1/OperatorList.ts';
import type { OperatorRequest as _postrider_accounts_v1_OperatorRequest, OperatorRequest__Output as _postrider_accounts_v1_OperatorRequest__Output } from '../../../postrider/accounts/v1/OperatorRequest.ts';
import type { OperatorState as _postrider_accounts_v1_OperatorState, OperatorState__Output as _postrider_accounts_v1_OperatorState__Output } from '../../../postrider/accounts/v1/OperatorState.ts';
import type { OwnWorkspace as _postrider_accounts_v1_OwnWorkspace, OwnWorkspace__Output as _postrider_accounts_v1_OwnWorkspace__Output } from '../../../postrider/accounts/v1/OwnWorkspace.ts';
import type { OwnWorkspaceList as _postrider_accounts_v1_OwnWorkspaceList, OwnWorkspaceList__Output as _postrider_accounts_v1_OwnWorkspaceList__Output } from '../../../postrider/accounts/v1/OwnWorkspaceList.ts';
import type { OwnWorkspacesRequest as _postrider_accounts_v1_OwnWorkspacesRequest, OwnWorkspacesRequest__Output as _postrider_accounts_v1_OwnWorkspacesRequest__Output } from '../../../postrider/accounts/v1/OwnWorkspacesRequest.ts';
import type { PasswordResetRequest as _postrider_accounts_v1_PasswordResetRequest, PasswordResetRequest__Output as _postrider_accounts_v1_PasswordResetRequest__Output } from '../../../postrider/accounts/v1/PasswordResetRequest.ts';
import type { ReadInvitationRequest as _postrider_accounts_v1_ReadInvitationRequest, ReadInvitationRequest__Output as _postrider_accounts_v1_ReadInvitationRequest__Output } from '../../../postrider/accounts/v1/ReadInvitationRequest.ts';
import type { ResetPasswordRequest as _postrider_accounts_v1_ResetPasswordRequest, ResetPasswordRequest__Output as _postrider_accounts_v1_ResetPasswordRequest__Output } from '../../../postrider/accounts/v1/ResetPasswordRequest.ts';
import type { RevokeSessionRequest as _postrider_accounts_v1_RevokeSessionRequest, RevokeSessionRequest__Output as _postrider_accounts_v1_RevokeSessionRequest__Output } from '../../../postrider/accounts/v1/RevokeSessionRequest.ts';
import type { RevokedSessions as _postrider_accounts_v1_RevokedSessions, RevokedSessions__Output as _postrider_accounts_v1_RevokedSessions__Output } from '../../../postrider/accounts/v1/RevokedSessions.ts';
import type { RollKeyRequest as _postrider_accounts_v1_RollKeyRequest, RollKeyRequest__Output as _postrider_accounts_v1_RollKeyRequest__Output } from '../../../postrider/accounts/v1/RollKeyRequest.ts';
import type { SessionList as _postrider_accounts_v1_SessionList, SessionList__Output as _postrider_accounts_v1_SessionList__Output } from '../../../postrider/accounts/v1/SessionList.ts';
import type { SessionReply as _postrider_accounts_v1_SessionReply, SessionReply__Output as _postrider_accounts_v1_SessionReply__Output } from '../../../postrider/accounts/v1/SessionReply.ts';
import type { SessionRequest as _postrider_accounts_v1_SessionRequest, SessionRequest__Output as _postrider_accounts_v1_SessionRequest__Output } from '../../../postrider/accounts/v1/SessionRequest.ts';
import type { SignInRequest as _postrider_accounts_v1_SignInRequest, SignInRequest__Output as _postrider_accounts_v1_SignInRequest__Output } from '../../../postrider/accounts/v1/SignInRequest.ts';
import type { SignUpRequest as _postrider_accounts_v1_SignUpRequest, SignUpRequest__Output as _postrider_accounts_v1_SignUpRequest__Output } from '../../../postrider/accounts/v1/SignUpRequest.ts';
import type { SwitchWorkspaceRequest as _postrider_accounts_v1_SwitchWorkspaceRequest, SwitchWorkspaceRequest__Output as _postrider_accounts_v1_SwitchWorkspaceRequest__Output } from '../../../postrider/accounts/v1/SwitchWorkspaceRequest.ts';
import type { TotpCodeRequest as _postrider_accounts_v1_TotpCodeRequest, TotpCodeRequest__Output as _postrider_accounts_v1_TotpCodeRequest__Output } from '../../../postrider/accounts/v1/TotpCodeRequest.ts';
import type { TotpEnabled as _postrider_accounts_v1_TotpEnabled, TotpEnabled__Output as _postrider_accounts_v1_TotpEnabled__Output } from '../../../postrider/accounts/v1/TotpEnabled.ts';
import type { TotpSecret as _postrider_accounts_v1_TotpSecret, TotpSecret__Output as _postrider_accounts_v1_TotpSecret__Output } from '../../../postrider/accounts/v1/TotpSecret.ts';
import type { UpdateKeyRequest as _postrider_accounts_v1_UpdateKeyRequest, UpdateKeyRequest__Output as _postrider_accounts_v1_UpdateKeyRequest__Output } from '../../../postrider/accounts/v1/UpdateKeyRequest.ts';
import type { UpdateWorkspaceRequest as _postrider_accounts_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _postrider_accounts_v1_UpdateWorkspaceRequest__Output } from '../../../postrider/accounts/v1/UpdateWorkspaceRequest.ts';
import type { UserControls as _postrider_accounts_v1_UserControls, UserControls__Output as _postrider_accounts_v1_UserControls__Output } from '../../../postrider/accounts/v1/UserControls.ts';
import type { UserList as _postrider_accounts_v1_UserList, UserList__Output as _postrider_accounts_v1_UserList__Output } from '../../../postrider/accounts/v1/UserList.ts';
import type { UserRequest as _postrider_accounts_v1_UserRequest, UserRequest__Output as _postrider_accounts_v1_UserRequest__Output } from '../../../postrider/accounts/v1/UserRequest.ts';
import type { UserState as _postrider_accounts_v1_UserState, UserState__Output as _postrider_accounts_v1_UserState__Output } from '../../../postrider/accounts/v1/UserState.ts';
import type { Workspace as _postrider_accounts_v1_Workspace, Workspace__Output as _postrider_accounts_v1_Workspace__Output } from '../../../postrider/accounts/v1/Workspace.ts';
import type { WorkspaceControls as _postrider_accounts_v1_WorkspaceControls, WorkspaceControls__Output as _postrider_accounts_v1_WorkspaceControls__Output } from '../../../postrider/accounts/v1/WorkspaceControls.ts';
import type { WorkspaceList as _postrider_accounts_v1_WorkspaceList, WorkspaceList__Output as _postrider_accounts_v1_WorkspaceList__Output } from '../../../postrider/accounts/v1/WorkspaceList.ts';
import type { WorkspaceRequest as _postrider_accounts_v1_WorkspaceRequest, WorkspaceRequest__Output as _postrider_accounts_v1_WorkspaceRequest__Output } from '../../../postrider/accounts/v1/WorkspaceRequest.ts';

export interface AccountsClient extends grpc.Client {
  AcceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  AcceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  AcceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  AcceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _postrider_accounts_v1_AcceptInvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  AddOperator(argument: _postrider_accounts_v1_AddOperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  AddOperator(argument: _postrider_accounts_v1_AddOperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  AddOperator(argument: _postrider_accounts_v1_AddOperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  AddOperator(argument: _postrider_accounts_v1_AddOperatorRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _postrider_accounts_v1_AddOperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _postrider_accounts_v1_AddOperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _postrider_accounts_v1_AddOperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _postrider_accounts_v1_AddOperatorRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorState__Output>): grpc.ClientUnaryCall;
  
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
  
  ChangeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ChangeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ChangeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ChangeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  changeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  changeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  changeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  changeEmail(argument: _postrider_accounts_v1_ChangeEmailRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  ChangeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  ChangeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  ChangeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  ChangeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMember(argument: _postrider_accounts_v1_ChangeMemberRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  
  ChangePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  ChangePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  ChangePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  ChangePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  changePassword(argument: _postrider_accounts_v1_ChangePasswordRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  ConfirmEmail(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  ConfirmEmail(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  ConfirmEmail(argument: _postrider_accounts_v1_LinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  ConfirmEmail(argument: _postrider_accounts_v1_LinkRequest, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _postrider_accounts_v1_LinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  confirmEmail(argument: _postrider_accounts_v1_LinkRequest, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  
  ConfirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  ConfirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  ConfirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  ConfirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  confirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  confirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  confirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  confirmTotp(argument: _postrider_accounts_v1_TotpCodeRequest, callback: grpc.requestCallback<_postrider_accounts_v1_TotpEnabled__Output>): grpc.ClientUnaryCall;
  
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _postrider_accounts_v1_CreateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _postrider_accounts_v1_CreateKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  
  CreateWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _postrider_accounts_v1_CreateWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspace__Output>): grpc.ClientUnaryCall;
  
  DeleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  DeleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  DeleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  DeleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteOwnWorkspace(argument: _postrider_accounts_v1_DeleteOwnWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  DeleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  DeleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  DeleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  DeleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  deleteWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  DisableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  DisableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  DisableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  DisableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  disableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  disableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  disableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  disableTotp(argument: _postrider_accounts_v1_TotpCodeRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  GetNotifications(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  GetNotifications(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  GetNotifications(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  GetNotifications(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  getNotifications(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  getNotifications(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  getNotifications(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  getNotifications(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  
  GetUser(argument: _postrider_accounts_v1_UserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _postrider_accounts_v1_UserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _postrider_accounts_v1_UserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _postrider_accounts_v1_UserRequest, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  getUser(argument: _postrider_accounts_v1_UserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  getUser(argument: _postrider_accounts_v1_UserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  getUser(argument: _postrider_accounts_v1_UserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  getUser(argument: _postrider_accounts_v1_UserRequest, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  Invite(argument: _postrider_accounts_v1_InviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  Invite(argument: _postrider_accounts_v1_InviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  Invite(argument: _postrider_accounts_v1_InviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  Invite(argument: _postrider_accounts_v1_InviteRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  invite(argument: _postrider_accounts_v1_InviteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  invite(argument: _postrider_accounts_v1_InviteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  invite(argument: _postrider_accounts_v1_InviteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  invite(argument: _postrider_accounts_v1_InviteRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  
  ListAudit(argument: _postrider_accounts_v1_ListAuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  ListAudit(argument: _postrider_accounts_v1_ListAuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  ListAudit(argument: _postrider_accounts_v1_ListAuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  ListAudit(argument: _postrider_accounts_v1_ListAuditRequest, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  listAudit(argument: _postrider_accounts_v1_ListAuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  listAudit(argument: _postrider_accounts_v1_ListAuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  listAudit(argument: _postrider_accounts_v1_ListAuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  listAudit(argument: _postrider_accounts_v1_ListAuditRequest, callback: grpc.requestCallback<_postrider_accounts_v1_AuditList__Output>): grpc.ClientUnaryCall;
  
  ListInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  ListInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  ListInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  ListInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationList__Output>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_KeyList__Output>): grpc.ClientUnaryCall;
  
  ListMembers(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_MemberList__Output>): grpc.ClientUnaryCall;
  
  ListOperators(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  ListOperators(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  ListOperators(argument: _postrider_accounts_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  ListOperators(argument: _postrider_accounts_v1_ListUsersRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _postrider_accounts_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _postrider_accounts_v1_ListUsersRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OperatorList__Output>): grpc.ClientUnaryCall;
  
  ListOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  ListOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  ListOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  ListOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  listOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  listOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  listOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  listOwnWorkspaces(argument: _postrider_accounts_v1_OwnWorkspacesRequest, callback: grpc.requestCallback<_postrider_accounts_v1_OwnWorkspaceList__Output>): grpc.ClientUnaryCall;
  
  ListSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionList__Output>): grpc.ClientUnaryCall;
  
  ListUsers(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _postrider_accounts_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _postrider_accounts_v1_ListUsersRequest, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _postrider_accounts_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _postrider_accounts_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _postrider_accounts_v1_ListUsersRequest, callback: grpc.requestCallback<_postrider_accounts_v1_UserList__Output>): grpc.ClientUnaryCall;
  
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
  
  ReadInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  ReadInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  ReadInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  ReadInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  readInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  readInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  readInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  readInvitation(argument: _postrider_accounts_v1_ReadInvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_InvitationOffer__Output>): grpc.ClientUnaryCall;
  
  ReadLink(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  ReadLink(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  ReadLink(argument: _postrider_accounts_v1_LinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  ReadLink(argument: _postrider_accounts_v1_LinkRequest, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  readLink(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  readLink(argument: _postrider_accounts_v1_LinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  readLink(argument: _postrider_accounts_v1_LinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  readLink(argument: _postrider_accounts_v1_LinkRequest, callback: grpc.requestCallback<_postrider_accounts_v1_LinkReply__Output>): grpc.ClientUnaryCall;
  
  RemoveMember(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _postrider_accounts_v1_MemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _postrider_accounts_v1_MemberRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _postrider_accounts_v1_MemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _postrider_accounts_v1_MemberRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  RemoveOperator(argument: _postrider_accounts_v1_OperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RemoveOperator(argument: _postrider_accounts_v1_OperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RemoveOperator(argument: _postrider_accounts_v1_OperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RemoveOperator(argument: _postrider_accounts_v1_OperatorRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _postrider_accounts_v1_OperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _postrider_accounts_v1_OperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _postrider_accounts_v1_OperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _postrider_accounts_v1_OperatorRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  RequestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RequestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RequestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RequestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  requestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  requestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  requestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  requestPasswordReset(argument: _postrider_accounts_v1_PasswordResetRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  ResendConfirmation(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ResendConfirmation(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ResendConfirmation(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ResendConfirmation(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resendConfirmation(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resendConfirmation(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resendConfirmation(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resendConfirmation(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  ResendInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  ResendInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  ResendInvitation(argument: _postrider_accounts_v1_InvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  ResendInvitation(argument: _postrider_accounts_v1_InvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  resendInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  resendInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  resendInvitation(argument: _postrider_accounts_v1_InvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  resendInvitation(argument: _postrider_accounts_v1_InvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Invitation__Output>): grpc.ClientUnaryCall;
  
  ResetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ResetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ResetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  ResetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  resetPassword(argument: _postrider_accounts_v1_ResetPasswordRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  RestoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  RestoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  RestoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  RestoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  restoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  restoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  restoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  restoreWorkspace(argument: _postrider_accounts_v1_WorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  RevokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _postrider_accounts_v1_InvitationRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _postrider_accounts_v1_KeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _postrider_accounts_v1_KeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  RevokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_RevokedSessions__Output>): grpc.ClientUnaryCall;
  
  RevokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  RevokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _postrider_accounts_v1_RevokeSessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Nothing__Output>): grpc.ClientUnaryCall;
  
  RollKey(argument: _postrider_accounts_v1_RollKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  RollKey(argument: _postrider_accounts_v1_RollKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  RollKey(argument: _postrider_accounts_v1_RollKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  RollKey(argument: _postrider_accounts_v1_RollKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  rollKey(argument: _postrider_accounts_v1_RollKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  rollKey(argument: _postrider_accounts_v1_RollKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  rollKey(argument: _postrider_accounts_v1_RollKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  rollKey(argument: _postrider_accounts_v1_RollKeyRequest, callback: grpc.requestCallback<_postrider_accounts_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  
  SetNotifications(argument: _postrider_accounts_v1_NotificationsChange, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  SetNotifications(argument: _postrider_accounts_v1_NotificationsChange, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  SetNotifications(argument: _postrider_accounts_v1_NotificationsChange, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  SetNotifications(argument: _postrider_accounts_v1_NotificationsChange, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  setNotifications(argument: _postrider_accounts_v1_NotificationsChange, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  setNotifications(argument: _postrider_accounts_v1_NotificationsChange, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  setNotifications(argument: _postrider_accounts_v1_NotificationsChange, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  setNotifications(argument: _postrider_accounts_v1_NotificationsChange, callback: grpc.requestCallback<_postrider_accounts_v1_NotificationPreferences__Output>): grpc.ClientUnaryCall;
  
  SetUserControls(argument: _postrider_accounts_v1_UserControls, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  SetUserControls(argument: _postrider_accounts_v1_UserControls, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  SetUserControls(argument: _postrider_accounts_v1_UserControls, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  SetUserControls(argument: _postrider_accounts_v1_UserControls, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  setUserControls(argument: _postrider_accounts_v1_UserControls, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  setUserControls(argument: _postrider_accounts_v1_UserControls, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  setUserControls(argument: _postrider_accounts_v1_UserControls, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  setUserControls(argument: _postrider_accounts_v1_UserControls, callback: grpc.requestCallback<_postrider_accounts_v1_UserState__Output>): grpc.ClientUnaryCall;
  
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SetWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  setWorkspaceControls(argument: _postrider_accounts_v1_WorkspaceControls, callback: grpc.requestCallback<_postrider_accounts_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  SignInByLink(argument: _postrider_accounts_v1_SignInRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignInByLink(argument: _postrider_accounts_v1_SignInRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignInByLink(argument: _postrider_accounts_v1_SignInRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignInByLink(argument: _postrider_accounts_v1_SignInRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signInByLink(argument: _postrider_accounts_v1_SignInRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signInByLink(argument: _postrider_accounts_v1_SignInRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signInByLink(argument: _postrider_accounts_v1_SignInRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signInByLink(argument: _postrider_accounts_v1_SignInRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _postrider_accounts_v1_SignUpRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  signUp(argument: _postrider_accounts_v1_SignUpRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  StartTotp(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  StartTotp(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  StartTotp(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  StartTotp(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  startTotp(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  startTotp(argument: _postrider_accounts_v1_SessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  startTotp(argument: _postrider_accounts_v1_SessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  startTotp(argument: _postrider_accounts_v1_SessionRequest, callback: grpc.requestCallback<_postrider_accounts_v1_TotpSecret__Output>): grpc.ClientUnaryCall;
  
  SwitchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SwitchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SwitchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  SwitchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _postrider_accounts_v1_SwitchWorkspaceRequest, callback: grpc.requestCallback<_postrider_accounts_v1_SessionReply__Output>): grpc.ClientUnaryCall;
  
  TransferOwnership(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  TransferOwnership(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  TransferOwnership(argument: _postrider_accounts_v1_MemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  TransferOwnership(argument: _postrider_accounts_v1_MemberRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  transferOwnership(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  transferOwnership(argument: _postrider_accounts_v1_MemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  transferOwnership(argument: _postrider_accounts_v1_MemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  transferOwnership(argument: _postrider_accounts_v1_MemberRequest, callback: grpc.requestCallback<_postrider_accounts_v1_Member__Output>): grpc.ClientUnaryCall;
  
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
  AcceptInvitation: grpc.handleUnaryCall<_postrider_accounts_v1_AcceptInvitationRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  AddOperator: grpc.handleUnaryCall<_postrider_accounts_v1_AddOperatorRequest__Output, _postrider_accounts_v1_OperatorState>;
  
  AuthenticateKey: grpc.handleUnaryCall<_postrider_accounts_v1_AuthenticateKeyRequest__Output, _postrider_accounts_v1_Caller>;
  
  AuthenticateSession: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  ChangeEmail: grpc.handleUnaryCall<_postrider_accounts_v1_ChangeEmailRequest__Output, _postrider_accounts_v1_Nothing>;
  
  ChangeMember: grpc.handleUnaryCall<_postrider_accounts_v1_ChangeMemberRequest__Output, _postrider_accounts_v1_Member>;
  
  ChangePassword: grpc.handleUnaryCall<_postrider_accounts_v1_ChangePasswordRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  ConfirmEmail: grpc.handleUnaryCall<_postrider_accounts_v1_LinkRequest__Output, _postrider_accounts_v1_LinkReply>;
  
  ConfirmTotp: grpc.handleUnaryCall<_postrider_accounts_v1_TotpCodeRequest__Output, _postrider_accounts_v1_TotpEnabled>;
  
  CreateKey: grpc.handleUnaryCall<_postrider_accounts_v1_CreateKeyRequest__Output, _postrider_accounts_v1_CreatedKey>;
  
  CreateWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_CreateWorkspaceRequest__Output, _postrider_accounts_v1_OwnWorkspace>;
  
  DeleteOwnWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_DeleteOwnWorkspaceRequest__Output, _postrider_accounts_v1_Workspace>;
  
  DeleteWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace>;
  
  DisableTotp: grpc.handleUnaryCall<_postrider_accounts_v1_TotpCodeRequest__Output, _postrider_accounts_v1_Nothing>;
  
  GetNotifications: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_NotificationPreferences>;
  
  GetUser: grpc.handleUnaryCall<_postrider_accounts_v1_UserRequest__Output, _postrider_accounts_v1_UserState>;
  
  GetWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace>;
  
  Invite: grpc.handleUnaryCall<_postrider_accounts_v1_InviteRequest__Output, _postrider_accounts_v1_Invitation>;
  
  ListAudit: grpc.handleUnaryCall<_postrider_accounts_v1_ListAuditRequest__Output, _postrider_accounts_v1_AuditList>;
  
  ListInvitations: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_InvitationList>;
  
  ListKeys: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_KeyList>;
  
  ListMembers: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_MemberList>;
  
  ListOperators: grpc.handleUnaryCall<_postrider_accounts_v1_ListUsersRequest__Output, _postrider_accounts_v1_OperatorList>;
  
  ListOwnWorkspaces: grpc.handleUnaryCall<_postrider_accounts_v1_OwnWorkspacesRequest__Output, _postrider_accounts_v1_OwnWorkspaceList>;
  
  ListSessions: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_SessionList>;
  
  ListUsers: grpc.handleUnaryCall<_postrider_accounts_v1_ListUsersRequest__Output, _postrider_accounts_v1_UserList>;
  
  ListWorkspaces: grpc.handleUnaryCall<_postrider_accounts_v1_ListWorkspacesRequest__Output, _postrider_accounts_v1_WorkspaceList>;
  
  LogIn: grpc.handleUnaryCall<_postrider_accounts_v1_LogInRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  LogOut: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_Nothing>;
  
  ReadInvitation: grpc.handleUnaryCall<_postrider_accounts_v1_ReadInvitationRequest__Output, _postrider_accounts_v1_InvitationOffer>;
  
  ReadLink: grpc.handleUnaryCall<_postrider_accounts_v1_LinkRequest__Output, _postrider_accounts_v1_LinkReply>;
  
  RemoveMember: grpc.handleUnaryCall<_postrider_accounts_v1_MemberRequest__Output, _postrider_accounts_v1_Nothing>;
  
  RemoveOperator: grpc.handleUnaryCall<_postrider_accounts_v1_OperatorRequest__Output, _postrider_accounts_v1_Nothing>;
  
  RequestPasswordReset: grpc.handleUnaryCall<_postrider_accounts_v1_PasswordResetRequest__Output, _postrider_accounts_v1_Nothing>;
  
  ResendConfirmation: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_Nothing>;
  
  ResendInvitation: grpc.handleUnaryCall<_postrider_accounts_v1_InvitationRequest__Output, _postrider_accounts_v1_Invitation>;
  
  ResetPassword: grpc.handleUnaryCall<_postrider_accounts_v1_ResetPasswordRequest__Output, _postrider_accounts_v1_Nothing>;
  
  RestoreWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace>;
  
  RevokeInvitation: grpc.handleUnaryCall<_postrider_accounts_v1_InvitationRequest__Output, _postrider_accounts_v1_Nothing>;
  
  RevokeKey: grpc.handleUnaryCall<_postrider_accounts_v1_KeyRequest__Output, _postrider_accounts_v1_Nothing>;
  
  RevokeOtherSessions: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_RevokedSessions>;
  
  RevokeSession: grpc.handleUnaryCall<_postrider_accounts_v1_RevokeSessionRequest__Output, _postrider_accounts_v1_Nothing>;
  
  RollKey: grpc.handleUnaryCall<_postrider_accounts_v1_RollKeyRequest__Output, _postrider_accounts_v1_CreatedKey>;
  
  SetNotifications: grpc.handleUnaryCall<_postrider_accounts_v1_NotificationsChange__Output, _postrider_accounts_v1_NotificationPreferences>;
  
  SetUserControls: grpc.handleUnaryCall<_postrider_accounts_v1_UserControls__Output, _postrider_accounts_v1_UserState>;
  
  SetWorkspaceControls: grpc.handleUnaryCall<_postrider_accounts_v1_WorkspaceControls__Output, _postrider_accounts_v1_Workspace>;
  
  SignInByLink: grpc.handleUnaryCall<_postrider_accounts_v1_SignInRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  SignUp: grpc.handleUnaryCall<_postrider_accounts_v1_SignUpRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  StartTotp: grpc.handleUnaryCall<_postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_TotpSecret>;
  
  SwitchWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_SwitchWorkspaceRequest__Output, _postrider_accounts_v1_SessionReply>;
  
  TransferOwnership: grpc.handleUnaryCall<_postrider_accounts_v1_MemberRequest__Output, _postrider_accounts_v1_Member>;
  
  UpdateKey: grpc.handleUnaryCall<_postrider_accounts_v1_UpdateKeyRequest__Output, _postrider_accounts_v1_ApiKey>;
  
  UpdateWorkspace: grpc.handleUnaryCall<_postrider_accounts_v1_UpdateWorkspaceRequest__Output, _postrider_accounts_v1_Workspace>;
  
}

export interface AccountsDefinition extends grpc.ServiceDefinition {
  AcceptInvitation: MethodDefinition<_postrider_accounts_v1_AcceptInvitationRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_AcceptInvitationRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  AddOperator: MethodDefinition<_postrider_accounts_v1_AddOperatorRequest, _postrider_accounts_v1_OperatorState, _postrider_accounts_v1_AddOperatorRequest__Output, _postrider_accounts_v1_OperatorState__Output>
  AuthenticateKey: MethodDefinition<_postrider_accounts_v1_AuthenticateKeyRequest, _postrider_accounts_v1_Caller, _postrider_accounts_v1_AuthenticateKeyRequest__Output, _postrider_accounts_v1_Caller__Output>
  AuthenticateSession: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  ChangeEmail: MethodDefinition<_postrider_accounts_v1_ChangeEmailRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_ChangeEmailRequest__Output, _postrider_accounts_v1_Nothing__Output>
  ChangeMember: MethodDefinition<_postrider_accounts_v1_ChangeMemberRequest, _postrider_accounts_v1_Member, _postrider_accounts_v1_ChangeMemberRequest__Output, _postrider_accounts_v1_Member__Output>
  ChangePassword: MethodDefinition<_postrider_accounts_v1_ChangePasswordRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_ChangePasswordRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  ConfirmEmail: MethodDefinition<_postrider_accounts_v1_LinkRequest, _postrider_accounts_v1_LinkReply, _postrider_accounts_v1_LinkRequest__Output, _postrider_accounts_v1_LinkReply__Output>
  ConfirmTotp: MethodDefinition<_postrider_accounts_v1_TotpCodeRequest, _postrider_accounts_v1_TotpEnabled, _postrider_accounts_v1_TotpCodeRequest__Output, _postrider_accounts_v1_TotpEnabled__Output>
  CreateKey: MethodDefinition<_postrider_accounts_v1_CreateKeyRequest, _postrider_accounts_v1_CreatedKey, _postrider_accounts_v1_CreateKeyRequest__Output, _postrider_accounts_v1_CreatedKey__Output>
  CreateWorkspace: MethodDefinition<_postrider_accounts_v1_CreateWorkspaceRequest, _postrider_accounts_v1_OwnWorkspace, _postrider_accounts_v1_CreateWorkspaceRequest__Output, _postrider_accounts_v1_OwnWorkspace__Output>
  DeleteOwnWorkspace: MethodDefinition<_postrider_accounts_v1_DeleteOwnWorkspaceRequest, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_DeleteOwnWorkspaceRequest__Output, _postrider_accounts_v1_Workspace__Output>
  DeleteWorkspace: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace__Output>
  DisableTotp: MethodDefinition<_postrider_accounts_v1_TotpCodeRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_TotpCodeRequest__Output, _postrider_accounts_v1_Nothing__Output>
  GetNotifications: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_NotificationPreferences, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_NotificationPreferences__Output>
  GetUser: MethodDefinition<_postrider_accounts_v1_UserRequest, _postrider_accounts_v1_UserState, _postrider_accounts_v1_UserRequest__Output, _postrider_accounts_v1_UserState__Output>
  GetWorkspace: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace__Output>
  Invite: MethodDefinition<_postrider_accounts_v1_InviteRequest, _postrider_accounts_v1_Invitation, _postrider_accounts_v1_InviteRequest__Output, _postrider_accounts_v1_Invitation__Output>
  ListAudit: MethodDefinition<_postrider_accounts_v1_ListAuditRequest, _postrider_accounts_v1_AuditList, _postrider_accounts_v1_ListAuditRequest__Output, _postrider_accounts_v1_AuditList__Output>
  ListInvitations: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_InvitationList, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_InvitationList__Output>
  ListKeys: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_KeyList, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_KeyList__Output>
  ListMembers: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_MemberList, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_MemberList__Output>
  ListOperators: MethodDefinition<_postrider_accounts_v1_ListUsersRequest, _postrider_accounts_v1_OperatorList, _postrider_accounts_v1_ListUsersRequest__Output, _postrider_accounts_v1_OperatorList__Output>
  ListOwnWorkspaces: MethodDefinition<_postrider_accounts_v1_OwnWorkspacesRequest, _postrider_accounts_v1_OwnWorkspaceList, _postrider_accounts_v1_OwnWorkspacesRequest__Output, _postrider_accounts_v1_OwnWorkspaceList__Output>
  ListSessions: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_SessionList, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_SessionList__Output>
  ListUsers: MethodDefinition<_postrider_accounts_v1_ListUsersRequest, _postrider_accounts_v1_UserList, _postrider_accounts_v1_ListUsersRequest__Output, _postrider_accounts_v1_UserList__Output>
  ListWorkspaces: MethodDefinition<_postrider_accounts_v1_ListWorkspacesRequest, _postrider_accounts_v1_WorkspaceList, _postrider_accounts_v1_ListWorkspacesRequest__Output, _postrider_accounts_v1_WorkspaceList__Output>
  LogIn: MethodDefinition<_postrider_accounts_v1_LogInRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_LogInRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  LogOut: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_Nothing__Output>
  ReadInvitation: MethodDefinition<_postrider_accounts_v1_ReadInvitationRequest, _postrider_accounts_v1_InvitationOffer, _postrider_accounts_v1_ReadInvitationRequest__Output, _postrider_accounts_v1_InvitationOffer__Output>
  ReadLink: MethodDefinition<_postrider_accounts_v1_LinkRequest, _postrider_accounts_v1_LinkReply, _postrider_accounts_v1_LinkRequest__Output, _postrider_accounts_v1_LinkReply__Output>
  RemoveMember: MethodDefinition<_postrider_accounts_v1_MemberRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_MemberRequest__Output, _postrider_accounts_v1_Nothing__Output>
  RemoveOperator: MethodDefinition<_postrider_accounts_v1_OperatorRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_OperatorRequest__Output, _postrider_accounts_v1_Nothing__Output>
  RequestPasswordReset: MethodDefinition<_postrider_accounts_v1_PasswordResetRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_PasswordResetRequest__Output, _postrider_accounts_v1_Nothing__Output>
  ResendConfirmation: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_Nothing__Output>
  ResendInvitation: MethodDefinition<_postrider_accounts_v1_InvitationRequest, _postrider_accounts_v1_Invitation, _postrider_accounts_v1_InvitationRequest__Output, _postrider_accounts_v1_Invitation__Output>
  ResetPassword: MethodDefinition<_postrider_accounts_v1_ResetPasswordRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_ResetPasswordRequest__Output, _postrider_accounts_v1_Nothing__Output>
  RestoreWorkspace: MethodDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_WorkspaceRequest__Output, _postrider_accounts_v1_Workspace__Output>
  RevokeInvitation: MethodDefinition<_postrider_accounts_v1_InvitationRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_InvitationRequest__Output, _postrider_accounts_v1_Nothing__Output>
  RevokeKey: MethodDefinition<_postrider_accounts_v1_KeyRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_KeyRequest__Output, _postrider_accounts_v1_Nothing__Output>
  RevokeOtherSessions: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_RevokedSessions, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_RevokedSessions__Output>
  RevokeSession: MethodDefinition<_postrider_accounts_v1_RevokeSessionRequest, _postrider_accounts_v1_Nothing, _postrider_accounts_v1_RevokeSessionRequest__Output, _postrider_accounts_v1_Nothing__Output>
  RollKey: MethodDefinition<_postrider_accounts_v1_RollKeyRequest, _postrider_accounts_v1_CreatedKey, _postrider_accounts_v1_RollKeyRequest__Output, _postrider_accounts_v1_CreatedKey__Output>
  SetNotifications: MethodDefinition<_postrider_accounts_v1_NotificationsChange, _postrider_accounts_v1_NotificationPreferences, _postrider_accounts_v1_NotificationsChange__Output, _postrider_accounts_v1_NotificationPreferences__Output>
  SetUserControls: MethodDefinition<_postrider_accounts_v1_UserControls, _postrider_accounts_v1_UserState, _postrider_accounts_v1_UserControls__Output, _postrider_accounts_v1_UserState__Output>
  SetWorkspaceControls: MethodDefinition<_postrider_accounts_v1_WorkspaceControls, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_WorkspaceControls__Output, _postrider_accounts_v1_Workspace__Output>
  SignInByLink: MethodDefinition<_postrider_accounts_v1_SignInRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SignInRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  SignUp: MethodDefinition<_postrider_accounts_v1_SignUpRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SignUpRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  StartTotp: MethodDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_TotpSecret, _postrider_accounts_v1_SessionRequest__Output, _postrider_accounts_v1_TotpSecret__Output>
  SwitchWorkspace: MethodDefinition<_postrider_accounts_v1_SwitchWorkspaceRequest, _postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SwitchWorkspaceRequest__Output, _postrider_accounts_v1_SessionReply__Output>
  TransferOwnership: MethodDefinition<_postrider_accounts_v1_MemberRequest, _postrider_accounts_v1_Member, _postrider_accounts_v1_MemberRequest__Output, _postrider_accounts_v1_Member__Output>
  UpdateKey: MethodDefinition<_postrider_accounts_v1_UpdateKeyRequest, _postrider_accounts_v1_ApiKey, _postrider_accounts_v1_UpdateKeyRequest__Output, _postrider_accounts_v1_ApiKey__Output>
  UpdateWorkspace: MethodDefinition<_postrider_accounts_v1_UpdateWorkspaceRequest, _postrider_accounts_v1_Workspace, _postrider_accounts_v1_UpdateWorkspaceRequest__Output, _postrider_accounts_v1_Workspace__Output>
}
