// Original file: protos/postrider/quota/v1/quota.proto


export interface PortalRequest {
  'workspace'?: (string);
  'return_url'?: (string);
}

export interface PortalRequest__Output {
  'workspace': (string);
  'return_url': (string);
}
