// Original file: protos/postrider/intake/v1/intake.proto


export interface QueueDestination {
  'domain'?: (string);
  'recipients'?: (number);
  'due'?: (number);
  'deferred'?: (number);
  'next_at'?: (string);
}

export interface QueueDestination__Output {
  'domain': (string);
  'recipients': (number);
  'due': (number);
  'deferred': (number);
  'next_at': (string);
}
