// Original file: protos/postrider/intake/v1/intake.proto


export interface SystemMailRequest {
  'to'?: (string);
  'subject'?: (string);
  'text'?: (string);
  'html'?: (string);
  'idempotency_key'?: (string);
  'expires_in_ms'?: (number | string);
  '_expires_in_ms'?: "expires_in_ms";
}

export interface SystemMailRequest__Output {
  'to': (string);
  'subject': (string);
  'text': (string);
  'html': (string);
  'idempotency_key': (string);
  'expires_in_ms'?: (number);
}
