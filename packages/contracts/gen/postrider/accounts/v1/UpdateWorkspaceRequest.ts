// Original file: protos/postrider/accounts/v1/accounts.proto


export interface UpdateWorkspaceRequest {
  'workspace'?: (string);
  'user'?: (string);
  'name'?: (string);
  'sender_name'?: (string);
  'postal_address'?: (string);
  'on_unknown'?: (string);
  'retention'?: (string);
  'spending_cap_usd'?: (number | string);
  'clear_spending_cap'?: (boolean);
  'client_address'?: (string);
  'require_totp'?: (boolean);
  '_name'?: "name";
  '_sender_name'?: "sender_name";
  '_postal_address'?: "postal_address";
  '_on_unknown'?: "on_unknown";
  '_retention'?: "retention";
  '_spending_cap_usd'?: "spending_cap_usd";
  '_client_address'?: "client_address";
  '_require_totp'?: "require_totp";
}

export interface UpdateWorkspaceRequest__Output {
  'workspace': (string);
  'user': (string);
  'name'?: (string);
  'sender_name'?: (string);
  'postal_address'?: (string);
  'on_unknown'?: (string);
  'retention'?: (string);
  'spending_cap_usd'?: (number);
  'clear_spending_cap': (boolean);
  'client_address'?: (string);
  'require_totp'?: (boolean);
}
