// Original file: protos/postrider/accounts/v1/accounts.proto


export interface TotpCodeRequest {
  'token'?: (string);
  'code'?: (string);
  'client_address'?: (string);
  'user_agent'?: (string);
}

export interface TotpCodeRequest__Output {
  'token': (string);
  'code': (string);
  'client_address': (string);
  'user_agent': (string);
}
