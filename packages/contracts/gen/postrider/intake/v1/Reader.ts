// Original file: protos/postrider/intake/v1/intake.proto


export interface Reader {
  'workspace'?: (string);
  'mode'?: (string);
  'sent_by'?: (string);
  'actor'?: (string);
}

export interface Reader__Output {
  'workspace': (string);
  'mode': (string);
  'sent_by': (string);
  'actor': (string);
}
