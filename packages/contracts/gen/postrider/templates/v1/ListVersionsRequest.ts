// Original file: protos/postrider/templates/v1/templates.proto


export interface ListVersionsRequest {
  'workspace'?: (string);
  'id'?: (string);
  'limit'?: (number);
  'before'?: (number);
}

export interface ListVersionsRequest__Output {
  'workspace': (string);
  'id': (string);
  'limit': (number);
  'before': (number);
}
