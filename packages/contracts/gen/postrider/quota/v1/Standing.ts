// Original file: protos/postrider/quota/v1/quota.proto


export interface Standing {
  'token'?: (string);
  'limited'?: (boolean);
  'period'?: (string);
  'limit'?: (number | string);
  'remaining'?: (number | string);
  'resets_at'?: (string);
}

export interface Standing__Output {
  'token': (string);
  'limited': (boolean);
  'period': (string);
  'limit': (number);
  'remaining': (number);
  'resets_at': (string);
}
