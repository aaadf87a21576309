// Original file: protos/postrider/accounts/v1/accounts.proto


export interface AddOperatorRequest {
  'email'?: (string);
  'client_address'?: (string);
}

export interface AddOperatorRequest__Output {
  'email': (string);
  'client_address': (string);
}
