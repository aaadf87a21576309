// Original file: protos/postrider/intake/v1/intake.proto


export interface EmailReply {
  'record_json'?: (string);
}

export interface EmailReply__Output {
  'record_json': (string);
}
