// Original file: protos/postrider/intake/v1/intake.proto


export interface ErasureRequest {
  'workspace'?: (string);
  'id'?: (string);
}

export interface ErasureRequest__Output {
  'workspace': (string);
  'id': (string);
}
