// Original file: protos/postrider/templates/v1/templates.proto


export interface GetRequest {
  'workspace'?: (string);
  'id'?: (string);
  'version'?: (number);
}

export interface GetRequest__Output {
  'workspace': (string);
  'id': (string);
  'version': (number);
}
