// Original file: protos/postrider/accounts/v1/accounts.proto


export interface RevokeSessionRequest {
  'token'?: (string);
  'id'?: (string);
  'client_address'?: (string);
}

export interface RevokeSessionRequest__Output {
  'token': (string);
  'id': (string);
  'client_address': (string);
}
