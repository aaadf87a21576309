// Original file: protos/postrider/quota/v1/quota.proto


export interface PaymentProvider {
  'sends_events'?: (boolean);
}

export interface PaymentProvider__Output {
  'sends_events': (boolean);
}
