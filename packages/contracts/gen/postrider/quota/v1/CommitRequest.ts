// Original file: protos/postrider/quota/v1/quota.proto


export interface CommitRequest {
  'workspace'?: (string);
  'id'?: (string);
  'count'?: (number);
  'at'?: (string);
  'token'?: (string);
}

export interface CommitRequest__Output {
  'workspace': (string);
  'id': (string);
  'count': (number);
  'at': (string);
  'token': (string);
}
