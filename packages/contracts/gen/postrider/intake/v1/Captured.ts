// Original file: protos/postrider/intake/v1/intake.proto


export interface Captured {
  'id'?: (string);
  'email_id'?: (string);
  'workspace'?: (string);
  'mode'?: (string);
  'at'?: (string);
  'from'?: (string);
  'to'?: (string)[];
  'subject'?: (string);
}

export interface Captured__Output {
  'id': (string);
  'email_id': (string);
  'workspace': (string);
  'mode': (string);
  'at': (string);
  'from': (string);
  'to': (string)[];
  'subject': (string);
}
