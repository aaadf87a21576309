// Original file: protos/postrider/quota/v1/quota.proto


export interface UsageRequest {
  'workspace'?: (string);
  'at'?: (string);
}

export interface UsageRequest__Output {
  'workspace': (string);
  'at': (string);
}
