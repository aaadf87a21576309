// Original file: protos/postrider/accounts/v1/accounts.proto


export interface UserControls {
  'id'?: (string);
  'disabled'?: (boolean);
  'reason'?: (string);
  'client_address'?: (string);
  'operator'?: (string);
  '_client_address'?: "client_address";
  '_operator'?: "operator";
}

export interface UserControls__Output {
  'id': (string);
  'disabled': (boolean);
  'reason': (string);
  'client_address'?: (string);
  'operator'?: (string);
}
