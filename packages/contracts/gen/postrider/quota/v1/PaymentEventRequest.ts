// Original file: protos/postrider/quota/v1/quota.proto


export interface PaymentEventRequest {
  'body'?: (Buffer | Uint8Array | string);
  'signature'?: (string);
}

export interface PaymentEventRequest__Output {
  'body': (Buffer);
  'signature': (string);
}
