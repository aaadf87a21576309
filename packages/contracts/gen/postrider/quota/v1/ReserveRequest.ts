// Original file: protos/postrider/quota/v1/quota.proto


export interface ReserveRequest {
  'workspace'?: (string);
  'id'?: (string);
  'count'?: (number);
  'at'?: (string);
}

export interface ReserveRequest__Output {
  'workspace': (string);
  'id': (string);
  'count': (number);
  'at': (string);
}
