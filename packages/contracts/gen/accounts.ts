import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AcceptInvitationRequest as _postrider_accounts_v1_AcceptInvitationRequest, AcceptInvitationRequest__Output as _postrider_accounts_v1_AcceptInvitationRequest__Output } from './postrider/accounts/v1/AcceptInvitationRequest.ts';
import type { AccountsClient as _postrider_accounts_v1_AccountsClient, AccountsDefinition as _postrider_accounts_v1_AccountsDefinition } from './postrider/accounts/v1/Accounts.ts';
import type { AddOperatorRequest as _postrider_accounts_v1_AddOperatorRequest, AddOperatorRequest__Output as _postrider_accounts_v1_AddOperatorRequest__Output } from './postrider/accounts/v1/AddOperatorRequest.ts';
import type { ApiKey as _postrider_accounts_v1_ApiKey, ApiKey__Output as _postrider_accounts_v1_ApiKey__Output } from './postrider/accounts/v1/ApiKey.ts';
import type { AuditLine as _postrider_accounts_v1_AuditLine, AuditLine__Output as _postrider_accounts_v1_AuditLine__Output } from './postrider/accounts/v1/AuditLine.ts';
import type { AuditList as _postrider_accounts_v1_AuditList, AuditList__Output as _postrider_accounts_v1_AuditList__Output } from './postrider/accounts/v1/AuditList.ts';
import type { AuthenticateKeyRequest as _postrider_accounts_v1_AuthenticateKeyRequest, AuthenticateKeyRequest__Output as _postrider_accounts_v1_AuthenticateKeyRequest__Output } from './postrider/accounts/v1/AuthenticateKeyRequest.ts';
import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from './postrider/accounts/v1/Caller.ts';
import type { ChangeEmailRequest as _postrider_accounts_v1_ChangeEmailRequest, ChangeEmailRequest__Output as _postrider_accounts_v1_ChangeEmailRequest__Output } from './postrider/accounts/v1/ChangeEmailRequest.ts';
import type { ChangeMemberRequest as _postrider_accounts_v1_ChangeMemberRequest, ChangeMemberRequest__Output as _postrider_accounts_v1_ChangeMemberRequest__Output } from './postrider/accounts/v1/ChangeMemberRequest.ts';
import type { ChangePasswordRequest as _postrider_accounts_v1_ChangePasswordRequest, ChangePasswordRequest__Output as _postrider_accounts_v1_ChangePasswordRequest__Output } from './postrider/accounts/v1/ChangePasswordRequest.ts';
import type { CreateKeyRequest as _postrider_accounts_v1_CreateKeyRequest, CreateKeyRequest__Output as _postrider_accounts_v1_CreateKeyRequest__Output } from './postrider/accounts/v1/CreateKeyRequest.ts';
import type { CreateWorkspaceRequest as _postrider_accounts_v1_CreateWorkspaceRequest, CreateWorkspaceRequest__Output as _postrider_accounts_v1_CreateWorkspaceRequest__Output } from './postrider/accounts/v1/CreateWorkspaceRequest.ts';
import type { CreatedKey as _postrider_accounts_v1_CreatedKey, CreatedKey__Output as _postrider_accounts_v1_CreatedKey__Output } from './postrider/accounts/v1/CreatedKey.ts';
import type { DeleteOwnWorkspaceRequest as _postrider_accounts_v1_DeleteOwnWorkspaceRequest, DeleteOwnWorkspaceRequest__Output as _postrider_accounts_v1_DeleteOwnWorkspaceRequest__Output } from './postrider/accounts/v1/DeleteOwnWorkspaceRequest.ts';
import type { Invitation as _postrider_accounts_v1_Invitation, Invitation__Output as _postrider_accounts_v1_Invitation__Output } from './postrider/accounts/v1/Invitation.ts';
import type { InvitationList as _postrider_accounts_v1_InvitationList, InvitationList__Output as _postrider_accounts_v1_InvitationList__Output } from './postrider/accounts/v1/InvitationList.ts';
import type { InvitationOffer as _postrider_accounts_v1_InvitationOffer, InvitationOffer__Output as _postrider_accounts_v1_InvitationOffer__Output } from './postrider/accounts/v1/InvitationOffer.ts';
import type { InvitationRequest as _postrider_accounts_v1_InvitationRequest, InvitationRequest__Output as _postrider_accounts_v1_InvitationRequest__Output } from './postrider/accounts/v1/InvitationRequest.ts';
import type { InviteRequest as _postrider_accounts_v1_InviteRequest, InviteRequest__Output as _postrider_accounts_v1_InviteRequest__Output } from './postrider/accounts/v1/InviteRequest.ts';
import type { KeyList as _postrider_accounts_v1_KeyList, KeyList__Output as _postrider_accounts_v1_KeyList__Output } from './postrider/accounts/v1/KeyList.ts';
import type { KeyRequest as _postrider_accounts_v1_KeyRequest, KeyRequest__Output as _postrider_accounts_v1_KeyRequest__Output } from './postrider/accounts/v1/KeyRequest.ts';
import type { LinkReply as _postrider_accounts_v1_LinkReply, LinkReply__Output as _postrider_accounts_v1_LinkReply__Output } from './postrider/accounts/v1/LinkReply.ts';
import type { LinkRequest as _postrider_accounts_v1_LinkRequest, LinkRequest__Output as _postrider_accounts_v1_LinkRequest__Output } from './postrider/accounts/v1/LinkRequest.ts';
import type { ListAuditRequest as _postrider_accounts_v1_ListAuditRequest, ListAuditRequest__Output as _postrider_accounts_v1_ListAuditRequest__Output } from './postrider/accounts/v1/ListAuditRequest.ts';
import type { ListUsersRequest as _postrider_accounts_v1_ListUsersRequest, ListUsersRequest__Output as _postrider_accounts_v1_ListUsersRequest__Output } from './postrider/accounts/v1/ListUsersRequest.ts';
import type { ListWorkspacesRequest as _postrider_accounts_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _postrider_accounts_v1_ListWorkspacesRequest__Output } from './postrider/accounts/v1/ListWorkspacesRequest.ts';
import type { LogInRequest as _postrider_accounts_v1_LogInRequest, LogInRequest__Output as _postrider_accounts_v1_LogInRequest__Output } from './postrider/accounts/v1/LogInRequest.ts';
import type { Member as _postrider_accounts_v1_Member, Member__Output as _postrider_accounts_v1_Member__Output } from './postrider/accounts/v1/Member.ts';
import type { MemberList as _postrider_accounts_v1_MemberList, MemberList__Output as _postrider_accounts_v1_MemberList__Output } from './postrider/accounts/v1/MemberList.ts';
import type { MemberRequest as _postrider_accounts_v1_MemberRequest, MemberRequest__Output as _postrider_accounts_v1_MemberRequest__Output } from './postrider/accounts/v1/MemberRequest.ts';
import type { Nothing as _postrider_accounts_v1_Nothing, Nothing__Output as _postrider_accounts_v1_Nothing__Output } from './postrider/accounts/v1/Nothing.ts';
import type { NotificationPreferences as _postrider_accounts_v1_NotificationPreferences, NotificationPreferences__Output as _postrider_accounts_v1_NotificationPreferences__Output } from './postrider/accounts/v1/NotificationPreferences.ts';
import type { NotificationsChange as _postrider_accounts_v1_NotificationsChange, NotificationsChange__Output as _postrider_accounts_v1_NotificationsChange__Output } from './postrider/accounts/v1/NotificationsChange.ts';
import type { OperatorList as _postrider_accounts_v1_OperatorList, OperatorList__Output as _postrider_accounts_v1_OperatorList__Output } from './postrider/accounts/v1/OperatorList.ts';
import type { OperatorRequest as _postrider_accounts_v1_OperatorRequest, OperatorRequest__Output as _postrider_accounts_v1_OperatorRequest__Output } from './postrider/accounts/v1/OperatorRequest.ts';
import type { OperatorState as _postrider_accounts_v1_OperatorState, OperatorState__Output as _postrider_accounts_v1_OperatorState__Output } from './postrider/accounts/v1/OperatorState.ts';
import type { OwnWorkspace as _postrider_accounts_v1_OwnWorkspace, OwnWorkspace__Output as _postrider_accounts_v1_OwnWorkspace__Output } from './postrider/accounts/v1/OwnWorkspace.ts';
import type { OwnWorkspaceList as _postrider_accounts_v1_OwnWorkspaceList, OwnWorkspaceList__Output as _postrider_accounts_v1_OwnWorkspaceList__Output } from './postrider/accounts/v1/OwnWorkspaceList.ts';
import type { OwnWorkspacesRequest as _postrider_accounts_v1_OwnWorkspacesRequest, OwnWorkspacesRequest__Output as _postrider_accounts_v1_OwnWorkspacesRequest__Output } from './postrider/accounts/v1/OwnWorkspacesRequest.ts';
import type { PasswordResetRequest as _postrider_accounts_v1_PasswordResetRequest, PasswordResetRequest__Output as _postrider_accounts_v1_PasswordResetRequest__Output } from './postrider/accounts/v1/PasswordResetRequest.ts';
import type { ReadInvitationRequest as _postrider_accounts_v1_ReadInvitationRequest, ReadInvitationRequest__Output as _postrider_accounts_v1_ReadInvitationRequest__Output } from './postrider/accounts/v1/ReadInvitationRequest.ts';
import type { ResetPasswordRequest as _postrider_accounts_v1_ResetPasswordRequest, ResetPasswordRequest__Output as _postrider_accounts_v1_ResetPasswordRequest__Output } from './postrider/accounts/v1/ResetPasswordRequest.ts';
import type { RevokeSessionRequest as _postrider_accounts_v1_RevokeSessionRequest, RevokeSessionRequest__Output as _postrider_accounts_v1_RevokeSessionRequest__Output } from './postrider/accounts/v1/RevokeSessionRequest.ts';
import type { RevokedSessions as _postrider_accounts_v1_RevokedSessions, RevokedSessions__Output as _postrider_accounts_v1_RevokedSessions__Output } from './postrider/accounts/v1/RevokedSessions.ts';
import type { RollKeyRequest as _postrider_accounts_v1_RollKeyRequest, RollKeyRequest__Output as _postrider_accounts_v1_RollKeyRequest__Output } from './postrider/accounts/v1/RollKeyRequest.ts';
import type { SessionInfo as _postrider_accounts_v1_SessionInfo, SessionInfo__Output as _postrider_accounts_v1_SessionInfo__Output } from './postrider/accounts/v1/SessionInfo.ts';
import type { SessionList as _postrider_accounts_v1_SessionList, SessionList__Output as _postrider_accounts_v1_SessionList__Output } from './postrider/accounts/v1/SessionList.ts';
import type { SessionReply as _postrider_accounts_v1_SessionReply, SessionReply__Output as _postrider_accounts_v1_SessionReply__Output } from './postrider/accounts/v1/SessionReply.ts';
import type { SessionRequest as _postrider_accounts_v1_SessionRequest, SessionRequest__Output as _postrider_accounts_v1_SessionRequest__Output } from './postrider/accounts/v1/SessionRequest.ts';
import type { SignInRequest as _postrider_accounts_v1_SignInRequest, SignInRequest__Output as _postrider_accounts_v1_SignInRequest__Output } from './postrider/accounts/v1/SignInRequest.ts';
import type { SignUpRequest as _postrider_accounts_v1_SignUpRequest, SignUpRequest__Output as _postrider_accounts_v1_SignUpRequest__Output } from './postrider/accounts/v1/SignUpRequest.ts';
import type { SwitchWorkspaceRequest as _postrider_accounts_v1_SwitchWorkspaceRequest, SwitchWorkspaceRequest__Output as _postrider_accounts_v1_SwitchWorkspaceRequest__Output } from './postrider/accounts/v1/SwitchWorkspaceRequest.ts';
import type { TotpCodeRequest as _postrider_accounts_v1_TotpCodeRequest, TotpCodeRequest__Output as _postrider_accounts_v1_TotpCodeRequest__Output } from './postrider/accounts/v1/TotpCodeRequest.ts';
import type { TotpEnabled as _postrider_accounts_v1_TotpEnabled, TotpEnabled__Output as _postrider_accounts_v1_TotpEnabled__Output } from './postrider/accounts/v1/TotpEnabled.ts';
import type { TotpSecret as _postrider_accounts_v1_TotpSecret, TotpSecret__Output as _postrider_accounts_v1_TotpSecret__Output } from './postrider/accounts/v1/TotpSecret.ts';
import type { UpdateKeyRequest as _postrider_accounts_v1_UpdateKeyRequest, UpdateKeyRequest__Output as _postrider_accounts_v1_UpdateKeyRequest__Output } from './postrider/accounts/v1/UpdateKeyRequest.ts';
import type { UpdateWorkspaceRequest as _postrider_accounts_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _postrider_accounts_v1_UpdateWorkspaceRequest__Output } from './postrider/accounts/v1/UpdateWorkspaceRequest.ts';
import type { UserControls as _postrider_accounts_v1_UserControls, UserControls__Output as _postrider_accounts_v1_UserControls__Output } from './postrider/accounts/v1/UserControls.ts';
import type { UserList as _postrider_accounts_v1_UserList, UserList__Output as _postrider_accounts_v1_UserList__Output } from './postrider/accounts/v1/UserList.ts';
import type { UserRequest as _postrider_accounts_v1_UserRequest, UserRequest__Output as _postrider_accounts_v1_UserRequest__Output } from './postrider/accounts/v1/UserRequest.ts';
import type { UserState as _postrider_accounts_v1_UserState, UserState__Output as _postrider_accounts_v1_UserState__Output } from './postrider/accounts/v1/UserState.ts';
import type { UserWorkspace as _postrider_accounts_v1_UserWorkspace, UserWorkspace__Output as _postrider_accounts_v1_UserWorkspace__Output } from './postrider/accounts/v1/UserWorkspace.ts';
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
        AcceptInvitationRequest: MessageTypeDefinition<_postrider_accounts_v1_AcceptInvitationRequest, _postrider_accounts_v1_AcceptInvitationRequest__Output>
        Accounts: SubtypeConstructor<typeof grpc.Client, _postrider_accounts_v1_AccountsClient> & { service: _postrider_accounts_v1_AccountsDefinition }
        AddOperatorRequest: MessageTypeDefinition<_postrider_accounts_v1_AddOperatorRequest, _postrider_accounts_v1_AddOperatorRequest__Output>
        ApiKey: MessageTypeDefinition<_postrider_accounts_v1_ApiKey, _postrider_accounts_v1_ApiKey__Output>
        AuditLine: MessageTypeDefinition<_postrider_accounts_v1_AuditLine, _postrider_accounts_v1_AuditLine__Output>
        AuditList: MessageTypeDefinition<_postrider_accounts_v1_AuditList, _postrider_accounts_v1_AuditList__Output>
        AuthenticateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_AuthenticateKeyRequest, _postrider_accounts_v1_AuthenticateKeyRequest__Output>
        Caller: MessageTypeDefinition<_postrider_accounts_v1_Caller, _postrider_accounts_v1_Caller__Output>
        ChangeEmailRequest: MessageTypeDefinition<_postrider_accounts_v1_ChangeEmailRequest, _postrider_accounts_v1_ChangeEmailRequest__Output>
        ChangeMemberRequest: MessageTypeDefinition<_postrider_accounts_v1_ChangeMemberRequest, _postrider_accounts_v1_ChangeMemberRequest__Output>
        ChangePasswordRequest: MessageTypeDefinition<_postrider_accounts_v1_ChangePasswordRequest, _postrider_accounts_v1_ChangePasswordRequest__Output>
        CreateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_CreateKeyRequest, _postrider_accounts_v1_CreateKeyRequest__Output>
        CreateWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_CreateWorkspaceRequest, _postrider_accounts_v1_CreateWorkspaceRequest__Output>
        CreatedKey: MessageTypeDefinition<_postrider_accounts_v1_CreatedKey, _postrider_accounts_v1_CreatedKey__Output>
        DeleteOwnWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_DeleteOwnWorkspaceRequest, _postrider_accounts_v1_DeleteOwnWorkspaceRequest__Output>
        Invitation: MessageTypeDefinition<_postrider_accounts_v1_Invitation, _postrider_accounts_v1_Invitation__Output>
        InvitationList: MessageTypeDefinition<_postrider_accounts_v1_InvitationList, _postrider_accounts_v1_InvitationList__Output>
        InvitationOffer: MessageTypeDefinition<_postrider_accounts_v1_InvitationOffer, _postrider_accounts_v1_InvitationOffer__Output>
        InvitationRequest: MessageTypeDefinition<_postrider_accounts_v1_InvitationRequest, _postrider_accounts_v1_InvitationRequest__Output>
        InviteRequest: MessageTypeDefinition<_postrider_accounts_v1_InviteRequest, _postrider_accounts_v1_InviteRequest__Output>
        KeyList: MessageTypeDefinition<_postrider_accounts_v1_KeyList, _postrider_accounts_v1_KeyList__Output>
        KeyRequest: MessageTypeDefinition<_postrider_accounts_v1_KeyRequest, _postrider_accounts_v1_KeyRequest__Output>
        LinkReply: MessageTypeDefinition<_postrider_accounts_v1_LinkReply, _postrider_accounts_v1_LinkReply__Output>
        LinkRequest: MessageTypeDefinition<_postrider_accounts_v1_LinkRequest, _postrider_accounts_v1_LinkRequest__Output>
        ListAuditRequest: MessageTypeDefinition<_postrider_accounts_v1_ListAuditRequest, _postrider_accounts_v1_ListAuditRequest__Output>
        ListUsersRequest: MessageTypeDefinition<_postrider_accounts_v1_ListUsersRequest, _postrider_accounts_v1_ListUsersRequest__Output>
        ListWorkspacesRequest: MessageTypeDefinition<_postrider_accounts_v1_ListWorkspacesRequest, _postrider_accounts_v1_ListWorkspacesRequest__Output>
        LogInRequest: MessageTypeDefinition<_postrider_accounts_v1_LogInRequest, _postrider_accounts_v1_LogInRequest__Output>
        Member: MessageTypeDefinition<_postrider_accounts_v1_Member, _postrider_accounts_v1_Member__Output>
        MemberList: MessageTypeDefinition<_postrider_accounts_v1_MemberList, _postrider_accounts_v1_MemberList__Output>
        MemberRequest: MessageTypeDefinition<_postrider_accounts_v1_MemberRequest, _postrider_accounts_v1_MemberRequest__Output>
        Nothing: MessageTypeDefinition<_postrider_accounts_v1_Nothing, _postrider_accounts_v1_Nothing__Output>
        NotificationPreferences: MessageTypeDefinition<_postrider_accounts_v1_NotificationPreferences, _postrider_accounts_v1_NotificationPreferences__Output>
        NotificationsChange: MessageTypeDefinition<_postrider_accounts_v1_NotificationsChange, _postrider_accounts_v1_NotificationsChange__Output>
        OperatorList: MessageTypeDefinition<_postrider_accounts_v1_OperatorList, _postrider_accounts_v1_OperatorList__Output>
        OperatorRequest: MessageTypeDefinition<_postrider_accounts_v1_OperatorRequest, _postrider_accounts_v1_OperatorRequest__Output>
        OperatorState: MessageTypeDefinition<_postrider_accounts_v1_OperatorState, _postrider_accounts_v1_OperatorState__Output>
        OwnWorkspace: MessageTypeDefinition<_postrider_accounts_v1_OwnWorkspace, _postrider_accounts_v1_OwnWorkspace__Output>
        OwnWorkspaceList: MessageTypeDefinition<_postrider_accounts_v1_OwnWorkspaceList, _postrider_accounts_v1_OwnWorkspaceList__Output>
        OwnWorkspacesRequest: MessageTypeDefinition<_postrider_accounts_v1_OwnWorkspacesRequest, _postrider_accounts_v1_OwnWorkspacesRequest__Output>
        PasswordResetRequest: MessageTypeDefinition<_postrider_accounts_v1_PasswordResetRequest, _postrider_accounts_v1_PasswordResetRequest__Output>
        ReadInvitationRequest: MessageTypeDefinition<_postrider_accounts_v1_ReadInvitationRequest, _postrider_accounts_v1_ReadInvitationRequest__Output>
        ResetPasswordRequest: MessageTypeDefinition<_postrider_accounts_v1_ResetPasswordRequest, _postrider_accounts_v1_ResetPasswordRequest__Output>
        RevokeSessionRequest: MessageTypeDefinition<_postrider_accounts_v1_RevokeSessionRequest, _postrider_accounts_v1_RevokeSessionRequest__Output>
        RevokedSessions: MessageTypeDefinition<_postrider_accounts_v1_RevokedSessions, _postrider_accounts_v1_RevokedSessions__Output>
        RollKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_RollKeyRequest, _postrider_accounts_v1_RollKeyRequest__Output>
        SessionInfo: MessageTypeDefinition<_postrider_accounts_v1_SessionInfo, _postrider_accounts_v1_SessionInfo__Output>
        SessionList: MessageTypeDefinition<_postrider_accounts_v1_SessionList, _postrider_accounts_v1_SessionList__Output>
        SessionReply: MessageTypeDefinition<_postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SessionReply__Output>
        SessionRequest: MessageTypeDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_SessionRequest__Output>
        SignInRequest: MessageTypeDefinition<_postrider_accounts_v1_SignInRequest, _postrider_accounts_v1_SignInRequest__Output>
        SignUpRequest: MessageTypeDefinition<_postrider_accounts_v1_SignUpRequest, _postrider_accounts_v1_SignUpRequest__Output>
        SwitchWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_SwitchWorkspaceRequest, _postrider_accounts_v1_SwitchWorkspaceRequest__Output>
        TotpCodeRequest: MessageTypeDefinition<_postrider_accounts_v1_TotpCodeRequest, _postrider_accounts_v1_TotpCodeRequest__Output>
        TotpEnabled: MessageTypeDefinition<_postrider_accounts_v1_TotpEnabled, _postrider_accounts_v1_TotpEnabled__Output>
        TotpSecret: MessageTypeDefinition<_postrider_accounts_v1_TotpSecret, _postrider_accounts_v1_TotpSecret__Output>
        UpdateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateKeyRequest, _postrider_accounts_v1_UpdateKeyRequest__Output>
        UpdateWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateWorkspaceRequest, _postrider_accounts_v1_UpdateWorkspaceRequest__Output>
        UserControls: MessageTypeDefinition<_postrider_accounts_v1_UserControls, _postrider_accounts_v1_UserControls__Output>
        UserList: MessageTypeDefinition<_postrider_accounts_v1_UserList, _postrider_accounts_v1_UserList__Output>
        UserRequest: MessageTypeDefinition<_postrider_accounts_v1_UserRequest, _postrider_accounts_v1_UserRequest__Output>
        UserState: MessageTypeDefinition<_postrider_accounts_v1_UserState, _postrider_accounts_v1_UserState__Output>
        UserWorkspace: MessageTypeDefinition<_postrider_accounts_v1_UserWorkspace, _postrider_accounts_v1_UserWorkspace__Output>
        Workspace: MessageTypeDefinition<_postrider_accounts_v1_Workspace, _postrider_accounts_v1_Workspace__Output>
        WorkspaceControls: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceControls, _postrider_accounts_v1_WorkspaceControls__Output>
        WorkspaceList: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceList, _postrider_accounts_v1_WorkspaceList__Output>
        WorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_WorkspaceRequest__Output>
      }
    }
  }
}

