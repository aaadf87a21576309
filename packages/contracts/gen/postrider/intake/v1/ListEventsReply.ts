// Original file: protos/postrider/intake/v1/intake.proto


export interface ListEventsReply {
  'events_json'?: (string)[];
  'position_at'?: (number | string);
  'position_id'?: (string);
  'has_more'?: (boolean);
}

export interface ListEventsReply__Output {
  'events_json': (string)[];
  'position_at': (number);
  'position_id': (string);
  'has_more': (boolean);
}
