// Original file: protos/postrider/accounts/v1/accounts.proto


export interface InvitationRequest {
  'workspace'?: (string);
  'user'?: (string);
  'id'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface InvitationRequest__Output {
  'workspace': (string);
  'user': (string);
  'id': (string);
  'client_address'?: (string);
}
