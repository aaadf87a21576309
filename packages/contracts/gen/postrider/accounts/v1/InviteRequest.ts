// Original file: protos/postrider/accounts/v1/accounts.proto


export interface InviteRequest {
  'workspace'?: (string);
  'user'?: (string);
  'email'?: (string);
  'role'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface InviteRequest__Output {
  'workspace': (string);
  'user': (string);
  'email': (string);
  'role': (string);
  'client_address'?: (string);
}
