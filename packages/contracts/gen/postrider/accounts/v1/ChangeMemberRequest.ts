// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ChangeMemberRequest {
  'workspace'?: (string);
  'user'?: (string);
  'member'?: (string);
  'role'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface ChangeMemberRequest__Output {
  'workspace': (string);
  'user': (string);
  'member': (string);
  'role': (string);
  'client_address'?: (string);
}
