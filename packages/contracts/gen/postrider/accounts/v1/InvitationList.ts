// Original file: protos/postrider/accounts/v1/accounts.proto

import type { Invitation as _postrider_accounts_v1_Invitation, Invitation__Output as _postrider_accounts_v1_Invitation__Output } from '../../../postrider/accounts/v1/Invitation.ts';

export interface InvitationList {
  'invitations'?: (_postrider_accounts_v1_Invitation)[];
}

export interface InvitationList__Output {
  'invitations': (_postrider_accounts_v1_Invitation__Output)[];
}
