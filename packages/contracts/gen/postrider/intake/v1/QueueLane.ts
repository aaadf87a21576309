// Original file: protos/postrider/intake/v1/intake.proto


export interface QueueLane {
  'lane'?: (string);
  'due'?: (number);
  'oldest_due_at'?: (string);
  'waiting'?: (number);
  'scheduled'?: (number);
  'test'?: (number);
  'bytes'?: (number | string);
}

export interface QueueLane__Output {
  'lane': (string);
  'due': (number);
  'oldest_due_at': (string);
  'waiting': (number);
  'scheduled': (number);
  'test': (number);
  'bytes': (number);
}
