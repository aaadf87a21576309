// Original file: protos/postrider/accounts/v1/accounts.proto


export interface RevokedSessions {
  'count'?: (number);
}

export interface RevokedSessions__Output {
  'count': (number);
}
