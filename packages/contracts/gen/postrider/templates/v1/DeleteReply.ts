// Original file: protos/postrider/templates/v1/templates.proto


export interface DeleteReply {
}

export interface DeleteReply__Output {
}
