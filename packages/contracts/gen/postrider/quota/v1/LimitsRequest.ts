// Original file: protos/postrider/quota/v1/quota.proto


export interface LimitsRequest {
  'workspace'?: (string);
}

export interface LimitsRequest__Output {
  'workspace': (string);
}
