// Original file: protos/postrider/accounts/v1/accounts.proto


export interface SessionRequest {
  'token'?: (string);
}

export interface SessionRequest__Output {
  'token': (string);
}
