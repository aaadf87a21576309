// Original file: protos/postrider/quota/v1/quota.proto


export interface SetLimitsRequest {
  'workspace'?: (string);
  'monthly'?: (string);
  'daily'?: (string);
  'plan'?: (string);
  'spending_cap_usd'?: (string);
  'client_address'?: (string);
  'actor'?: (string);
  'operator'?: (string);
  '_monthly'?: "monthly";
  '_daily'?: "daily";
  '_plan'?: "plan";
  '_spending_cap_usd'?: "spending_cap_usd";
  '_client_address'?: "client_address";
  '_actor'?: "actor";
  '_operator'?: "operator";
}

export interface SetLimitsRequest__Output {
  'workspace': (string);
  'monthly'?: (string);
  'daily'?: (string);
  'plan'?: (string);
  'spending_cap_usd'?: (string);
  'client_address'?: (string);
  'actor'?: (string);
  'operator'?: (string);
}
