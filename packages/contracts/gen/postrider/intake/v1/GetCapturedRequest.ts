// Original file: protos/postrider/intake/v1/intake.proto


export interface GetCapturedRequest {
  'workspace'?: (string);
  'id'?: (string);
}

export interface GetCapturedRequest__Output {
  'workspace': (string);
  'id': (string);
}
