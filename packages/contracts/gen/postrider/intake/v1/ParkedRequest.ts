// Original file: protos/postrider/intake/v1/intake.proto


export interface ParkedRequest {
  'id'?: (string);
  'client_address'?: (string);
}

export interface ParkedRequest__Output {
  'id': (string);
  'client_address': (string);
}
