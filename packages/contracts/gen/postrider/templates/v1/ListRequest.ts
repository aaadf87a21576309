// Original file: protos/postrider/templates/v1/templates.proto


export interface ListRequest {
  'workspace'?: (string);
  'limit'?: (number);
  'before'?: (string);
  'without_bodies'?: (boolean);
}

export interface ListRequest__Output {
  'workspace': (string);
  'limit': (number);
  'before': (string);
  'without_bodies': (boolean);
}
