// Original file: protos/postrider/intake/v1/intake.proto


export interface ParkedRequest {
  'id'?: (string);
  'client_address'?: (string);
  'operator'?: (string);
  '_operator'?: "operator";
}

export interface ParkedRequest__Output {
  'id': (string);
  'client_address': (string);
  'operator'?: (string);
}
