// Original file: protos/postrider/intake/v1/intake.proto


export interface ListEmailsReply {
  'records_json'?: (string)[];
  'last_id'?: (string);
  'has_more'?: (boolean);
}

export interface ListEmailsReply__Output {
  'records_json': (string)[];
  'last_id': (string);
  'has_more': (boolean);
}
