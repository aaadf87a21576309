// Original file: protos/postrider/quota/v1/quota.proto


export interface InvoiceLine {
  'description'?: (string);
  'quantity'?: (number | string);
  'unit_usd'?: (string);
  'amount_usd'?: (string);
}

export interface InvoiceLine__Output {
  'description': (string);
  'quantity': (number);
  'unit_usd': (string);
  'amount_usd': (string);
}
