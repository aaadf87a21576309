// Original file: protos/postrider/quota/v1/quota.proto


export interface ListPendingRequest {
  'before'?: (string);
  'limit'?: (number);
}

export interface ListPendingRequest__Output {
  'before': (string);
  'limit': (number);
}
