// Original file: protos/postrider/accounts/v1/accounts.proto


export interface LogInRequest {
  'email'?: (string);
  'password'?: (string);
  'client_address'?: (string);
}

export interface LogInRequest__Output {
  'email': (string);
  'password': (string);
  'client_address': (string);
}
