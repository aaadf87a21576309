// Original file: protos/postrider/accounts/v1/accounts.proto


export interface SignUpRequest {
  'email'?: (string);
  'password'?: (string);
  'workspace_name'?: (string);
  'client_address'?: (string);
  'user_agent'?: (string);
  'code'?: (string);
  '_user_agent'?: "user_agent";
  '_code'?: "code";
}

export interface SignUpRequest__Output {
  'email': (string);
  'password': (string);
  'workspace_name': (string);
  'client_address': (string);
  'user_agent'?: (string);
  'code'?: (string);
}
