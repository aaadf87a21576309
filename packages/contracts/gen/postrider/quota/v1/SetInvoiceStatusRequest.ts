// Original file: protos/postrider/quota/v1/quota.proto


export interface SetInvoiceStatusRequest {
  'id'?: (string);
  'status'?: (string);
  'reason'?: (string);
  'client_address'?: (string);
  'operator'?: (string);
  '_operator'?: "operator";
}

export interface SetInvoiceStatusRequest__Output {
  'id': (string);
  'status': (string);
  'reason': (string);
  'client_address': (string);
  'operator'?: (string);
}
