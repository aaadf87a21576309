// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface Problem {
  'path'?: (string);
  'code'?: (string);
  'message'?: (string);
}

export interface Problem__Output {
  'path': (string);
  'code': (string);
  'message': (string);
}
