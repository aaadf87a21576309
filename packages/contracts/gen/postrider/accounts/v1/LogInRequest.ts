// Original file: protos/postrider/accounts/v1/accounts.proto


export interface LogInRequest {
  'email'?: (string);
  'password'?: (string);
  'client_address'?: (string);
  'code'?: (string);
  'user_agent'?: (string);
  '_code'?: "code";
  '_user_agent'?: "user_agent";
}

export interface LogInRequest__Output {
  'email': (string);
  'password': (string);
  'client_address': (string);
  'code'?: (string);
  'user_agent'?: (string);
}
