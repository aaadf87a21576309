// Original file: protos/postrider/accounts/v1/accounts.proto


export interface PasswordResetRequest {
  'email'?: (string);
  'client_address'?: (string);
}

export interface PasswordResetRequest__Output {
  'email': (string);
  'client_address': (string);
}
