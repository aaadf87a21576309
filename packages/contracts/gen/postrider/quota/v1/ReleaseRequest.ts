// Original file: protos/postrider/quota/v1/quota.proto


export interface ReleaseRequest {
  'workspace'?: (string);
  'id'?: (string);
  'recipients'?: (number)[];
  'at'?: (string);
}

export interface ReleaseRequest__Output {
  'workspace': (string);
  'id': (string);
  'recipients': (number)[];
  'at': (string);
}
