// Original file: protos/postrider/accounts/v1/accounts.proto


export interface SessionRequest {
  'token'?: (string);
  'client_address'?: (string);
  'user_agent'?: (string);
  '_client_address'?: "client_address";
  '_user_agent'?: "user_agent";
}

export interface SessionRequest__Output {
  'token': (string);
  'client_address'?: (string);
  'user_agent'?: (string);
}
