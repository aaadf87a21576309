// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface Response {
  'body'?: (string);
  'cut'?: (boolean);
}

export interface Response__Output {
  'body': (string);
  'cut': (boolean);
}
