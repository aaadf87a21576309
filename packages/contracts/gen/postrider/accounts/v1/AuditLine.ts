// Original file: protos/postrider/accounts/v1/accounts.proto


export interface AuditLine {
  'id'?: (string);
  'workspace'?: (string);
  'created_at'?: (string);
  'actor_type'?: (string);
  'actor_id'?: (string);
  'actor_name'?: (string);
  'action'?: (string);
  'target'?: (string);
  'before_json'?: (string);
  'after_json'?: (string);
  'client_address'?: (string);
  'redactions_json'?: (string);
}

export interface AuditLine__Output {
  'id': (string);
  'workspace': (string);
  'created_at': (string);
  'actor_type': (string);
  'actor_id': (string);
  'actor_name': (string);
  'action': (string);
  'target': (string);
  'before_json': (string);
  'after_json': (string);
  'client_address': (string);
  'redactions_json': (string);
}
