// Original file: protos/postrider/intake/v1/intake.proto


export interface Address {
  'name'?: (string);
  'address'?: (string);
}

export interface Address__Output {
  'name': (string);
  'address': (string);
}
