// Original file: protos/postrider/accounts/v1/accounts.proto


export interface WorkspaceControls {
  'workspace'?: (string);
  'suspended'?: (boolean);
  'note'?: (string);
  'rate'?: (string);
  'burst'?: (string);
  '_suspended'?: "suspended";
  '_note'?: "note";
  '_rate'?: "rate";
  '_burst'?: "burst";
}

export interface WorkspaceControls__Output {
  'workspace': (string);
  'suspended'?: (boolean);
  'note'?: (string);
  'rate'?: (string);
  'burst'?: (string);
}
