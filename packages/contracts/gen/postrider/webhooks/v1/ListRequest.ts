// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface ListRequest {
  'workspace'?: (string);
  'mode'?: (string);
  'limit'?: (number);
  'before'?: (string);
}

export interface ListRequest__Output {
  'workspace': (string);
  'mode': (string);
  'limit': (number);
  'before': (string);
}
