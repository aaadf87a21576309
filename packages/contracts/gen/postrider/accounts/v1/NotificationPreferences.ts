// Original file: protos/postrider/accounts/v1/accounts.proto


export interface NotificationPreferences {
  'workspace'?: (string);
  'kinds'?: ({[key: string]: boolean});
}

export interface NotificationPreferences__Output {
  'workspace': (string);
  'kinds': ({[key: string]: boolean});
}
