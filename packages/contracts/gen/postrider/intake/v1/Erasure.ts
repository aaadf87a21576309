// Original file: protos/postrider/intake/v1/intake.proto


export interface Erasure {
  'id'?: (string);
  'done'?: (boolean);
  'created_at'?: (string);
  'completed_at'?: (string);
  'emails'?: (number);
  'waiting'?: (number);
}

export interface Erasure__Output {
  'id': (string);
  'done': (boolean);
  'created_at': (string);
  'completed_at': (string);
  'emails': (number);
  'waiting': (number);
}
