// Original file: protos/postrider/accounts/v1/accounts.proto


export interface WorkspaceControls {
  'workspace'?: (string);
  'suspended'?: (boolean);
  'note'?: (string);
  'rate'?: (string);
  'burst'?: (string);
  'client_address'?: (string);
  'reason'?: (string);
  'plan'?: (string);
  'operator'?: (string);
  '_suspended'?: "suspended";
  '_note'?: "note";
  '_rate'?: "rate";
  '_burst'?: "burst";
  '_client_address'?: "client_address";
  '_reason'?: "reason";
  '_plan'?: "plan";
  '_operator'?: "operator";
}

export interface WorkspaceControls__Output {
  'workspace': (string);
  'suspended'?: (boolean);
  'note'?: (string);
  'rate'?: (string);
  'burst'?: (string);
  'client_address'?: (string);
  'reason'?: (string);
  'plan'?: (string);
  'operator'?: (string);
}
