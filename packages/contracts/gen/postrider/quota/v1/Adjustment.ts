// Original file: protos/postrider/quota/v1/quota.proto


export interface Adjustment {
  'id'?: (string);
  'workspace'?: (string);
  'month'?: (string);
  'sends'?: (number | string);
  'amount_usd'?: (string);
  'reason'?: (string);
  'created_at'?: (string);
  'replayed'?: (boolean);
  '_sends'?: "sends";
  '_amount_usd'?: "amount_usd";
}

export interface Adjustment__Output {
  'id': (string);
  'workspace': (string);
  'month': (string);
  'sends'?: (number);
  'amount_usd'?: (string);
  'reason': (string);
  'created_at': (string);
  'replayed': (boolean);
}
