// Original file: protos/postrider/accounts/v1/accounts.proto


export interface NotificationsChange {
  'token'?: (string);
  'kinds'?: ({[key: string]: boolean});
  'client_address'?: (string);
}

export interface NotificationsChange__Output {
  'token': (string);
  'kinds': ({[key: string]: boolean});
  'client_address': (string);
}
