// Original file: protos/postrider/quota/v1/quota.proto


export interface InvoiceRequest {
  'workspace'?: (string);
  'id'?: (string);
  'return_url'?: (string);
  'email'?: (string);
}

export interface InvoiceRequest__Output {
  'workspace': (string);
  'id': (string);
  'return_url': (string);
  'email': (string);
}
