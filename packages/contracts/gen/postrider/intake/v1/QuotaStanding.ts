// Original file: protos/postrider/intake/v1/intake.proto


export interface QuotaStanding {
  'limit'?: (number | string);
  'remaining'?: (number | string);
  'resets_at'?: (string);
  'resets_in_ms'?: (number | string);
}

export interface QuotaStanding__Output {
  'limit': (number);
  'remaining': (number);
  'resets_at': (string);
  'resets_in_ms': (number);
}
