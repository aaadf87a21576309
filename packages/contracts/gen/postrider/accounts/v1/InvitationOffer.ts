// Original file: protos/postrider/accounts/v1/accounts.proto


export interface InvitationOffer {
  'workspace_name'?: (string);
  'inviter'?: (string);
  'role'?: (string);
  'email'?: (string);
  'has_account'?: (boolean);
  'expires_at'?: (string);
}

export interface InvitationOffer__Output {
  'workspace_name': (string);
  'inviter': (string);
  'role': (string);
  'email': (string);
  'has_account': (boolean);
  'expires_at': (string);
}
