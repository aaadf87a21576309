// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ReadInvitationRequest {
  'token'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface ReadInvitationRequest__Output {
  'token': (string);
  'client_address'?: (string);
}
