// Original file: protos/postrider/accounts/v1/accounts.proto


export interface TotpSecret {
  'secret'?: (string);
  'uri'?: (string);
  'qr_svg'?: (string);
}

export interface TotpSecret__Output {
  'secret': (string);
  'uri': (string);
  'qr_svg': (string);
}
