// Original file: protos/postrider/accounts/v1/accounts.proto


export interface OperatorRequest {
  'id'?: (string);
  'client_address'?: (string);
}

export interface OperatorRequest__Output {
  'id': (string);
  'client_address': (string);
}
