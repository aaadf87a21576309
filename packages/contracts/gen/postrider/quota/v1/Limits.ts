// Original file: protos/postrider/quota/v1/quota.proto


export interface Limits {
  'monthly'?: (string);
  'daily'?: (string);
}

export interface Limits__Output {
  'monthly': (string);
  'daily': (string);
}
