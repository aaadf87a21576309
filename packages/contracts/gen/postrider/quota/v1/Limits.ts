// Original file: protos/postrider/quota/v1/quota.proto


export interface Limits {
  'monthly'?: (string);
  'daily'?: (string);
  'plan'?: (string);
  'spending_cap_usd'?: (string);
  '_spending_cap_usd'?: "spending_cap_usd";
}

export interface Limits__Output {
  'monthly': (string);
  'daily': (string);
  'plan': (string);
  'spending_cap_usd'?: (string);
}
