// Original file: protos/postrider/domains/v1/domains.proto


export interface ListRequest {
  'workspace'?: (string);
  'limit'?: (number);
  'before'?: (string);
}

export interface ListRequest__Output {
  'workspace': (string);
  'limit': (number);
  'before': (string);
}
