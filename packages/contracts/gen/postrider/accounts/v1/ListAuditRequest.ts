// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ListAuditRequest {
  'workspace'?: (string);
  'user'?: (string);
  'limit'?: (number);
  'before'?: (string);
  'actor'?: (string);
  'action'?: (string);
  'created_after'?: (string);
  'created_before'?: (string);
  '_workspace'?: "workspace";
  '_actor'?: "actor";
  '_action'?: "action";
  '_created_after'?: "created_after";
  '_created_before'?: "created_before";
}

export interface ListAuditRequest__Output {
  'workspace'?: (string);
  'user': (string);
  'limit': (number);
  'before': (string);
  'actor'?: (string);
  'action'?: (string);
  'created_after'?: (string);
  'created_before'?: (string);
}
