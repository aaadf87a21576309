// Original file: protos/postrider/domains/v1/domains.proto


export interface DomainRequest {
  'workspace'?: (string);
  'id'?: (string);
}

export interface DomainRequest__Output {
  'workspace': (string);
  'id': (string);
}
