// Original file: protos/postrider/quota/v1/quota.proto


export interface ChangePlanRequest {
  'workspace'?: (string);
  'plan'?: (string);
  'actor'?: (string);
  'email'?: (string);
  'return_url'?: (string);
  'client_address'?: (string);
}

export interface ChangePlanRequest__Output {
  'workspace': (string);
  'plan': (string);
  'actor': (string);
  'email': (string);
  'return_url': (string);
  'client_address': (string);
}
