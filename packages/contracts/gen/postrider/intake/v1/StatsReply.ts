// Original file: protos/postrider/intake/v1/intake.proto


export interface StatsReply {
  'stats_json'?: (string);
}

export interface StatsReply__Output {
  'stats_json': (string);
}
