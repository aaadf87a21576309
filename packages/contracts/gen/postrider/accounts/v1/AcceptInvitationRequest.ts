// Original file: protos/postrider/accounts/v1/accounts.proto


export interface AcceptInvitationRequest {
  'token'?: (string);
  'password'?: (string);
  'session_token'?: (string);
  'client_address'?: (string);
  'code'?: (string);
  'user_agent'?: (string);
  'is_repeat'?: (boolean);
  '_user_agent'?: "user_agent";
  '_is_repeat'?: "is_repeat";
}

export interface AcceptInvitationRequest__Output {
  'token': (string);
  'password': (string);
  'session_token': (string);
  'client_address': (string);
  'code': (string);
  'user_agent'?: (string);
  'is_repeat'?: (boolean);
}
