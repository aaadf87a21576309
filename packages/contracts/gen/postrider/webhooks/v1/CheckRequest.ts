// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface CheckRequest {
  'url'?: (string);
  'events'?: (string)[];
  '_url'?: "url";
}

export interface CheckRequest__Output {
  'url'?: (string);
  'events': (string)[];
}
