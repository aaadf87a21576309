// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface EndpointRequest {
  'workspace'?: (string);
  'id'?: (string);
  'mode'?: (string);
}

export interface EndpointRequest__Output {
  'workspace': (string);
  'id': (string);
  'mode': (string);
}
