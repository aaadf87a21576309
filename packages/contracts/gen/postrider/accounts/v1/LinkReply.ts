// Original file: protos/postrider/accounts/v1/accounts.proto


export interface LinkReply {
  'email'?: (string);
  'purpose'?: (string);
}

export interface LinkReply__Output {
  'email': (string);
  'purpose': (string);
}
