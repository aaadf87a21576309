import { anyOf, notAfter, pattern } from './pattern.ts'
import { owned, pairs, phrases } from './phrases.ts'
import type { ReplyRule } from './rule.ts'

const hosters = 'help pages of mail providers in this language; texts that administrators set in their servers'

/** A hint to inform the sender is no evidence. */
const hint = phrases(
  "informieren sie den , kontaktieren sie den , bitte den , contactez l', informez l', contacte al , informe al , contatti il , contate o ",
)

/** Words of our address in languages other than English. */
export const ourAddressElsewhere = pattern`${notAfter(hint)}${phrases(
  'absender, expéditeur, émetteur, remitente, remetente, mittente, nadawc, odesílatel, afzender',
  'отправител, 发件人, 發件人, 寄件人, 寄件者, 发信人, 發信人, 发件地址, 发信地址',
  '送信者, 送信元, 発信者, 発信元, 差出人, 발신자, 발신인, 보낸 사람, 보내는 사람, 발송자',
  'gönderen, gönderici, avsändare, afsender, avsender, lähettäjä, feladó, expeditor, odosielateľ, αποστολέα',
  'người gửi, pengirim, відправник, подател, pošiljatelj, pošiljalac',
)}`

/** Words of our account: a possessive before it, or an account that sends. */
export const ourAccountElsewhere = anyOf(
  owned(
    [
      'ihr, ihre, dein, deine',
      'benutzerkonto, konto, account, email-konto, emailkonto, mailkonto, postfach, zugang, mailzugang, email-zugang, emailzugang',
    ],
    ['votre', 'compte, boîte, messagerie, adresse, abonnement, domaine'],
    ['su, tu', 'cuenta, buzón, casilla, usuario, dirección, dominio, suscripción'],
    ['sua, seu, tua, teu', 'conta, caixa, usuário, endereço, domínio, assinatura'],
    ['suo, sua, tuo, tua, vostro, vostra', 'account, casella, utenza, indirizzo, dominio, abbonamento'],
    ['twoje, twoja, twój, państwa', 'konto, skrzynk, adres, domen'],
    ['vaše, váš, vaši', 'účet, schránk, adres, domén'],
    ['uw, jouw, je', 'account, mailbox, postvak, adres, domein'],
    ['ваш, ваша, ваше, твой, твоя', 'учётн, аккаунт, ящик, адрес, домен'],
  ),
  phrases(
    'ваша учётная, ваш аккаунт, ваш почтовый, 您的帐户, 您的账户, 您的帐号, 您的账号, 您的帳號, 您的帳戶, 您的邮箱, 您的信箱, 您的域名',
    '您的邮件帐, 您的邮件账, 您的邮箱帐, 您的邮箱账, 你的帐户, 你的账户, 你的帐号, 你的账号, 你的邮箱, 您的邮箱帳',
    '发信账号, 发信帐号, 发件账号, 发件帐号, 发送账号, 发送帐号, 發信帳號, 發件帳號',
    '贵公司的, 贵司的, 贵账号, 贵帐号, 贵邮箱, 贵域名, hesabınız, posta kutunuz',
    'あなたのアカウント, お客様のアカウント, あなたのメール, お客様のメール, 送信アカウント, 送信用アカウント',
    '귀하의 계정, 고객님의 계정, 당신의 계정, 회원님의 계정, 귀하의 메일, 발신 계정, 발송 계정',
    'absenderkonto, sendekonto, versandkonto, compte expéditeur, compte émetteur, cuenta remitente, cuenta de envío, conta de envio',
    'account mittente, konto nadawcy, аккаунт отправителя, учетная запись отправителя',
  ),
)

const stopped = phrases(
  'gesperrt, deaktiviert, blockiert, suspendiert, abgelaufen, nicht aktiv, inaktiv, eingeschränkt, geschlossen',
  'suspendu, bloqué, désactivé, expiré, résilié, fermé, verrouillé, restreint',
  'suspendid, bloquead, deshabilitad, desactivad, inhabilitad, cancelad, expirad, caducad, inactiv, inativ, inattiv',
  'suspens, desativad, desabilitad, encerrad, sospes, bloccat, disabilitat, disattivat, scadut',
  'zablokowan, zawieszon, wyłączon, nieaktywn, wygasł, zablokován, pozastaven, deaktivován',
  'geblokkeerd, opgeschort, uitgeschakeld, gedeactiveerd, заблокирован, приостановлен, отключен, деактивирован',
  'askıya, engellen, devre dışı, kapatıl, 停用, 禁用, 冻结, 凍結, 封停, 暂停, 锁定, 鎖定, 被封, 过期, 停止, 無効, ロック, 정지, 차단, 비활성, 잠금, 잠겨',
)

const wrongPassword = anyOf(
  pairs(
    ['passwort, kennwort', 'falsch, ungültig, nicht korrekt'],
    ['mot de passe', 'incorrect, invalide, erroné'],
    ['contraseña', 'incorrect, inválid, erróne'],
    ['senha', 'incorret, inválid, errad'],
    ['password', 'errata, non valida, non corretta'],
    ['hasło', 'nieprawidłow, niepoprawn, błędn'],
    ['пароль', 'невер, неправильн'],
    ['密码, 密碼', '不正确, 不正確, 错误, 錯誤'],
    ['パスワード', '正しくあり, 違い, 間違, 誤り'],
    ['비밀번호', '올바르지, 틀렸, 잘못'],
  ),
  phrases(
    'falsches passwort, falsches kennwort, ungültiges passwort, неверный пароль, неправильный пароль, 密码错误, 密碼錯誤',
  ),
)

const full = phrases('voll, pleine, saturé, llen, chei, pien, pełn, переполн, заполн, 已满, 已滿, いっぱい, 가득')
const sending = phrases(
  'versand, versend, senden, envoi, envoyer, envío, enviar, envio, invio, inviare, wysył, отправ, 发信, 发送, 送信, 발송',
)

const limitOfSending = pairs(
  [
    'limit, kontingent, höchstzahl, obergrenze',
    'gesendet, versendet, versandt, ausgehend, pro tag, pro stunde, täglich',
  ],
  ['tageslimit, stundenlimit, tageskontingent, stundenkontingent', 'erreicht, überschritten, ausgeschöpft'],
  ['täglich, stündlich', 'limit, kontingent, höchst, obergrenze'],
  ['limite, quota, plafond', "d'envoi, envoy, quotidien, journali, par jour, par heure, horaire, sortant"],
  ['límite, cuota, cupo, máximo', 'envío, enviad, diari, por día, por hora, salient'],
  ['limite, cota, quota, máximo', 'envio, enviad, diári, por dia, por hora, saída'],
  ['limite, quota, soglia, massimo', 'invio, inviat, giornalier, al giorno, orari, in uscita'],
  ['limit', 'wysłan, wysyłk, wysyłan, dzienn, dobow, godzin, wychodząc'],
  ['dzienn, dobow, godzinow', 'limit'],
  ['лимит, квот, ограничени', 'отправ, исходящ, в сутки, суточн, в день, в час, дневн'],
  ['суточн, дневн, часов', 'лимит, квот'],
  ['发信, 发送, 发件, 寄信, 發信, 外发', '数量, 限制, 上限, 超限, 额度, 配额, 次数, 限额'],
  ['送信', '上限, 制限, 超え, 超過'],
  ['발송, 송신, 보낸', '한도, 제한, 초과'],
)

/** Sizes of messages and the recipient's storage have the same words. */
const otherLimit = phrases(
  'größe, anhang, taille, pièce, tamaño, tamanho, dimension, rozmiar, размер, 大小, サイズ, 크기, 附件',
  'empfänger, destinataire, destinatari, odbiorc, получател, 收件, 受信, 수신, 容量',
)

const unknownState =
  /unbekannt|ungultig|nicht existier|inconnu|invalid|inexistant|inexistent|inesistent|desconocid|desconhecid|sconosciut|non valid/
/** Many recipients that do not exist: about the list that we send to, not about one of them. */
const manyUnknown = anyOf(
  pattern`\b(?:zu viele|zu vielen|anzahl|anteil|trop d|pourcentage|taux|porcentaje|percentual|tasso|nombre d|demasiad|numero de|muit|tropp|numero di)[^.;]{0,40}${unknownState}`,
  pairs(
    ['zbyt wiel, liczba, zbyt duż', 'nieznan, nieistniej, nieprawidłow, niepoprawn'],
    ['слишком много, количество, число, процент, доля', 'неизвестн, несуществующ, неверн, недействительн'],
    ['不存在, 无效, 未知, 無效', '过多, 太多, 比例, 过高, 次数, 数量, 超过, 過多'],
    ['过多, 太多, 大量, 多次', '不存在, 无效, 未知'],
    ['存在しない, 不明な, 無効な', '多すぎ, 多数, 超え, 超過, 割合'],
    ['존재하지 않는, 잘못된', '너무 많, 초과, 비율'],
  ),
)

/**
 * About us in languages other than English. They stand with the texts about our account, before the codes of
 * recipients.
 */
export const ourLanguageRules: readonly ReplyRule[] = [
  {
    text: manyUnknown,
    id: 'too_many_unknown_other_language',
    class: 'reputation',
    outcome: 'deferred',
    source: `${hosters}: too many recipients that do not exist`,
  },
  {
    text: pattern`${ourAccountElsewhere}[^.;]{0,40}${full}[^.]{0,40}${sending}`,
    id: 'our_mailbox_full_other_language',
    class: 'transient',
    outcome: 'deferred',
    source: `${hosters}: our mailbox is full, so it may not send`,
  },
  {
    text: pattern`${ourAccountElsewhere}[^.;]{0,40}${stopped}`,
    id: 'our_account_other_language',
    class: 'policy',
    outcome: 'deferred',
    source: `${hosters}: our account, which an operator can correct`,
  },
  {
    text: wrongPassword,
    id: 'login_refused_other_language',
    class: 'policy',
    outcome: 'deferred',
    source: `${hosters}; RFC 4954 §6: only our side logs in, so an operator can correct it`,
  },
  {
    text: limitOfSending,
    unless: otherLimit,
    id: 'sending_limit_other_language',
    class: 'transient',
    outcome: 'deferred',
    source: `${hosters}: our own sending limits`,
  },
]
