// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface ListDeliveriesRequest {
  'workspace'?: (string);
  'id'?: (string);
  'mode'?: (string);
  'limit'?: (number);
  'before'?: (string);
  'status'?: (string);
  'event_id'?: (string);
}

export interface ListDeliveriesRequest__Output {
  'workspace': (string);
  'id': (string);
  'mode': (string);
  'limit': (number);
  'before': (string);
  'status': (string);
  'event_id': (string);
}
