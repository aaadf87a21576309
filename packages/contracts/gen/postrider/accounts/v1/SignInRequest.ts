// Original file: protos/postrider/accounts/v1/accounts.proto


export interface SignInRequest {
  'token'?: (string);
  'client_address'?: (string);
  'user_agent'?: (string);
}

export interface SignInRequest__Output {
  'token': (string);
  'client_address': (string);
  'user_agent': (string);
}
