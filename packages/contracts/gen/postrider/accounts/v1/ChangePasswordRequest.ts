// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ChangePasswordRequest {
  'token'?: (string);
  'current'?: (string);
  'password'?: (string);
  'client_address'?: (string);
  'user_agent'?: (string);
}

export interface ChangePasswordRequest__Output {
  'token': (string);
  'current': (string);
  'password': (string);
  'client_address': (string);
  'user_agent': (string);
}
