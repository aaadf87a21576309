// Original file: protos/postrider/intake/v1/intake.proto


export interface Problem {
  'path'?: (string);
  'code'?: (string);
  'message'?: (string);
}

export interface Problem__Output {
  'path': (string);
  'code': (string);
  'message': (string);
}
