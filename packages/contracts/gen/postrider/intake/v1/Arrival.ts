// Original file: protos/postrider/intake/v1/intake.proto


export interface Arrival {
  'settled_at'?: (number | string);
  'settled_id'?: (string);
  'seen_at'?: (number | string);
  'seen_id'?: (string);
  'digest'?: (string);
}

export interface Arrival__Output {
  'settled_at': (number);
  'settled_id': (string);
  'seen_at': (number);
  'seen_id': (string);
  'digest': (string);
}
