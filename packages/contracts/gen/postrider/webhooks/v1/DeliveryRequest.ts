// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface DeliveryRequest {
  'workspace'?: (string);
  'id'?: (string);
  'delivery'?: (string);
  'mode'?: (string);
}

export interface DeliveryRequest__Output {
  'workspace': (string);
  'id': (string);
  'delivery': (string);
  'mode': (string);
}
