// Original file: protos/postrider/intake/v1/intake.proto


export interface ListCapturedRequest {
  'workspace'?: (string);
  'before'?: (string);
  'limit'?: (number);
  'query'?: (string);
  '_query'?: "query";
}

export interface ListCapturedRequest__Output {
  'workspace': (string);
  'before': (string);
  'limit': (number);
  'query'?: (string);
}
