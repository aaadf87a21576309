// Original file: protos/postrider/quota/v1/quota.proto


export interface ListInvoicesRequest {
  'workspace'?: (string);
  'status'?: (string);
  'month'?: (string);
  'before'?: (string);
  'limit'?: (number);
}

export interface ListInvoicesRequest__Output {
  'workspace': (string);
  'status': (string);
  'month': (string);
  'before': (string);
  'limit': (number);
}
