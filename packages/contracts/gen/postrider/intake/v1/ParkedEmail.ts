// Original file: protos/postrider/intake/v1/intake.proto


export interface ParkedEmail {
  'id'?: (string);
  'workspace'?: (string);
  'mode'?: (string);
  'category'?: (string);
  'status'?: (string);
  'created_at'?: (string);
  'parked_at'?: (string);
  'on_unknown'?: (string);
  'attempts'?: (number);
  'last_attempt_at'?: (string);
  'may_have_arrived'?: (boolean);
  'recipients'?: (number);
  'domains'?: (string)[];
}

export interface ParkedEmail__Output {
  'id': (string);
  'workspace': (string);
  'mode': (string);
  'category': (string);
  'status': (string);
  'created_at': (string);
  'parked_at': (string);
  'on_unknown': (string);
  'attempts': (number);
  'last_attempt_at': (string);
  'may_have_arrived': (boolean);
  'recipients': (number);
  'domains': (string)[];
}
