// Original file: protos/postrider/intake/v1/intake.proto


export interface RetentionClass {
  'step'?: (string);
  'due'?: (number);
  'due_since'?: (string);
}

export interface RetentionClass__Output {
  'step': (string);
  'due': (number);
  'due_since': (string);
}
