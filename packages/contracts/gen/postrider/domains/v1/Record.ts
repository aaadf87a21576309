// Original file: protos/postrider/domains/v1/domains.proto


export interface Record {
  'purpose'?: (string);
  'type'?: (string);
  'name'?: (string);
  'value'?: (string);
  'priority'?: (number);
  'required'?: (boolean);
  'status'?: (string);
  'found'?: (string);
  'problem'?: (string);
  '_priority'?: "priority";
  '_found'?: "found";
  '_problem'?: "problem";
}

export interface Record__Output {
  'purpose': (string);
  'type': (string);
  'name': (string);
  'value': (string);
  'priority'?: (number);
  'required': (boolean);
  'status': (string);
  'found'?: (string);
  'problem'?: (string);
}
