// Original file: protos/postrider/intake/v1/intake.proto


export interface TestClock {
  'now'?: (number | string);
  'ahead_ms'?: (number | string);
  'due_emails'?: (number);
  'due_webhooks'?: (number);
  'complete'?: (boolean);
}

export interface TestClock__Output {
  'now': (number);
  'ahead_ms': (number);
  'due_emails': (number);
  'due_webhooks': (number);
  'complete': (boolean);
}
