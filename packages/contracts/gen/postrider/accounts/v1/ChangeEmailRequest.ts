// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ChangeEmailRequest {
  'token'?: (string);
  'email'?: (string);
  'password'?: (string);
  'client_address'?: (string);
}

export interface ChangeEmailRequest__Output {
  'token': (string);
  'email': (string);
  'password': (string);
  'client_address': (string);
}
