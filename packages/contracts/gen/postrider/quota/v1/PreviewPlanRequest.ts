// Original file: protos/postrider/quota/v1/quota.proto


export interface PreviewPlanRequest {
  'workspace'?: (string);
  'plan'?: (string);
}

export interface PreviewPlanRequest__Output {
  'workspace': (string);
  'plan': (string);
}
