// Original file: protos/postrider/intake/v1/intake.proto


export interface Reader {
  'workspace'?: (string);
  'mode'?: (string);
  'sent_by'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  'operator'?: (string);
  'recipients'?: (string)[];
  'domains'?: (string)[];
  '_client_address'?: "client_address";
  '_operator'?: "operator";
}

export interface Reader__Output {
  'workspace': (string);
  'mode': (string);
  'sent_by': (string);
  'actor': (string);
  'client_address'?: (string);
  'operator'?: (string);
  'recipients': (string)[];
  'domains': (string)[];
}
