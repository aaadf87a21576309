// Original file: protos/postrider/quota/v1/quota.proto


export interface AdjustRequest {
  'workspace'?: (string);
  'sends'?: (number | string);
  'amount_usd'?: (string);
  'reason'?: (string);
  'client_address'?: (string);
  'idempotency_key'?: (string);
  'fingerprint'?: (Buffer | Uint8Array | string);
  'operator'?: (string);
  '_sends'?: "sends";
  '_amount_usd'?: "amount_usd";
  '_operator'?: "operator";
}

export interface AdjustRequest__Output {
  'workspace': (string);
  'sends'?: (number);
  'amount_usd'?: (string);
  'reason': (string);
  'client_address': (string);
  'idempotency_key': (string);
  'fingerprint': (Buffer);
  'operator'?: (string);
}
