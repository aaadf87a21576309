// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface ReplayState {
  'id'?: (string);
  'status'?: (string);
  'from'?: (string);
  'to'?: (string);
  'position'?: (string);
  'sent'?: (number);
  'delivered'?: (number);
  'created_at'?: (string);
  'ended_at'?: (string);
  '_position'?: "position";
  '_ended_at'?: "ended_at";
}

export interface ReplayState__Output {
  'id': (string);
  'status': (string);
  'from': (string);
  'to': (string);
  'position'?: (string);
  'sent': (number);
  'delivered': (number);
  'created_at': (string);
  'ended_at'?: (string);
}
