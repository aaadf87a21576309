// Original file: protos/postrider/intake/v1/intake.proto


export interface ListParkedRequest {
  'limit'?: (number);
  'before'?: (string);
}

export interface ListParkedRequest__Output {
  'limit': (number);
  'before': (string);
}
