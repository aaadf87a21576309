// Original file: protos/postrider/intake/v1/intake.proto


export interface SystemMailReply {
  'id'?: (string);
}

export interface SystemMailReply__Output {
  'id': (string);
}
