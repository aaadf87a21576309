// Original file: protos/postrider/accounts/v1/accounts.proto


export interface LinkRequest {
  'token'?: (string);
  'purposes'?: (string)[];
  'client_address'?: (string);
}

export interface LinkRequest__Output {
  'token': (string);
  'purposes': (string)[];
  'client_address': (string);
}
