// Original file: protos/postrider/accounts/v1/accounts.proto


export interface UserRequest {
  'id'?: (string);
}

export interface UserRequest__Output {
  'id': (string);
}
