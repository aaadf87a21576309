// Original file: protos/postrider/accounts/v1/accounts.proto


export interface MemberRequest {
  'workspace'?: (string);
  'user'?: (string);
  'member'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface MemberRequest__Output {
  'workspace': (string);
  'user': (string);
  'member': (string);
  'client_address'?: (string);
}
