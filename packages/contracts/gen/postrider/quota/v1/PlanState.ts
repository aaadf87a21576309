// Original file: protos/postrider/quota/v1/quota.proto


export interface PlanState {
  'plan'?: (string);
  'pending_plan'?: (string);
  'changes_at'?: (string);
  'checkout_url'?: (string);
  'payment'?: (string);
  'portal'?: (boolean);
  '_pending_plan'?: "pending_plan";
  '_changes_at'?: "changes_at";
  '_checkout_url'?: "checkout_url";
  '_payment'?: "payment";
  '_portal'?: "portal";
}

export interface PlanState__Output {
  'plan': (string);
  'pending_plan'?: (string);
  'changes_at'?: (string);
  'checkout_url'?: (string);
  'payment'?: (string);
  'portal'?: (boolean);
}
