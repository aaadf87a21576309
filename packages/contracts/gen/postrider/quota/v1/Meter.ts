// Original file: protos/postrider/quota/v1/quota.proto


export interface Meter {
  'limit'?: (number | string);
  'used'?: (number | string);
  'remaining'?: (number | string);
  '_limit'?: "limit";
  '_remaining'?: "remaining";
}

export interface Meter__Output {
  'limit'?: (number);
  'used': (number);
  'remaining'?: (number);
}
