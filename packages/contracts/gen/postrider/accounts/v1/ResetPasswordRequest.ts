// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ResetPasswordRequest {
  'token'?: (string);
  'password'?: (string);
  'client_address'?: (string);
}

export interface ResetPasswordRequest__Output {
  'token': (string);
  'password': (string);
  'client_address': (string);
}
