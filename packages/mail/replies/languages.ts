import { ourAccountElsewhere, ourAddressElsewhere } from './oursLanguages.ts'
import { anyOf } from './pattern.ts'
import { pairs, phrases } from './phrases.ts'
import { recipientElsewhere } from './recipientLanguages.ts'
import type { ReplyRule } from './rule.ts'

const hosters = 'help pages of mail providers in this language; texts that administrators set in their servers'

/**
 * Wordings in languages other than English. Each phrase names its subject. Full mailboxes and rates stand before
 * refusals, because “rejected: the mailbox is full” is about the mailbox.
 */
export const languageRules: readonly ReplyRule[] = [
  {
    text: pairs(
      ['postfach, mailbox, speicher, konto', 'voll, überschritten, erschöpft'],
      ['boîte, messagerie, quota', 'pleine, dépassé, saturé'],
      ['buzón, casilla, cuota, cuenta', 'llen, excedid, superad, superó'],
      ['caixa, cota, quota, conta', 'chei, excedid, lotad, sem espaço'],
      ['casella, quota, mailbox, spazio', 'pien, superat, esaurit'],
      ['skrzynk, konto, schránka, postvak, mailbox', 'pełn, przepełni, je plná, is vol'],
      ['przekroczon', 'pojemnoś'],
      ['ящик, квот', 'переполн, заполн, превыш'],
      ['превышен', 'квот'],
      ['邮箱, 信箱, 容量, 空间, 空間', '已满, 已滿, 不足'],
      ['メールボックス, 容量', 'いっぱい, 超過, 超え, オーバー'],
      ['메일함, 용량', '가득, 초과'],
    ),
    unless: phrases('versand, envío, envoi, envio, invio, wysyłk, отправк, 发信, 发送, 送信, 발송'),
    id: 'mailbox_full_other_language',
    class: 'full',
    outcome: 'deferred',
    source: `${hosters}; RFC 3463 §3.3, X.2.2`,
  },
  {
    text: phrases(
      'zu viele verbindungen, zu viele nachrichten, zu viele empfänger, später erneut, später noch einmal',
      'vorübergehend, erneut versuchen, versandlimit, sendelimit, versandkontingent',
      'trop de connexions, trop de messages, trop de destinataires, réessayer plus tard, réessayez plus tard',
      'temporairement',
      'demasiadas conexiones, demasiados mensajes, demasiados destinatarios, más tarde, temporalmente',
      "límite de envío, límite de mensajes, cuota de envío, cota de envio, quota d'envoi",
      'muitas conexões, muitas mensagens, muitos destinatários, mais tarde, temporariamente, limite de envio',
      'limite de mensagens',
      'troppe connessioni, troppi messaggi, troppi destinatari, più tardi, temporaneamente, limite di invio',
      'zbyt wiele połączeń, zbyt wiele wiadomości, zbyt wielu odbiorców, spróbuj później, spróbuj ponownie',
      'limit wysyłki, limit wiadomości, tymczasowo, zkuste to později, probeer het later',
      'слишком много, попробуйте позже, повторите попытку, временно, лимит отправки, превышен лимит',
      '发信数超限, 超过发信, 发送频率, 发信频率, 频率过高, 超限制, 连接数过多, 同時接続数, 稍后再试, 稍后重试, 請稍後再試, 暂时, しばらくしてから, 後でもう一度, 一時的, 送信数の上限, 送信制限',
      '나중에 다시, 일시적, 너무 많은',
    ),
    id: 'try_later_other_language',
    class: 'transient',
    outcome: 'deferred',
    source: `${hosters}; RFC 5321 §4.2.1: temporary by the text`,
  },
  {
    text: phrases(
      'schwarze liste, schwarzen liste, sperrliste, ip-adresse ist gesperrt, ip-adresse gesperrt',
      'ip ist gesperrt, ip gesperrt',
      'liste noire, adresse ip est bloquée, adresse ip bloquée, ip bloquée',
      'lista negra, ip bloquead, ip está bloquead, ip foi bloquead, ip è bloccat, ip è stato bloccat, ip ha sido bloqueada, bloqueado por reputação, reputación',
      'reputação, lista de bloqueio, lista de bloqueos',
      'lista nera, ip bloccato, indirizzo ip bloccato, reputazione, czarna lista, czarnej liście, ip zablokowany',
      'adres ip został zablokowany, reputacja',
      'чёрном списке, черном списке, черный список, ip-адрес заблокирован, ip заблокирован, репутаци, 黑名单, 黑名單',
      'ip被, ブラックリスト, ブロックリスト, 블랙리스트, 차단된 ip',
    ),
    unless: phrases(
      'des empfängers, du destinataire, del destinatario, do destinatário, odbiorcy, списке получателя, 收件人的黑名单, 收件人列入, 收件人加入, 收件人拉黑',
    ),
    id: 'host_reputation_other_language',
    class: 'reputation',
    outcome: 'deferred',
    source: hosters,
  },
  {
    text: anyOf(
      pairs(
        ['absender', 'abgelehnt, gesperrt, blockiert, nicht, unbekannt, ungültig, existiert, sperrliste'],
        [
          'expéditeur, émetteur',
          'refusé, rejeté, bloqué, inconnu, invalide, introuvable, interdit, non autorisé, pas autorisé',
        ],
        [
          'remitente',
          'rechazad, bloquead, desconocid, inválid, inexistente, no autorizado, no permitido, no existe, sin permiso',
        ],
        ['remetente', 'rejeitad, recusad, bloquead, desconhecid, inválid, inexistente, não, sem permissão'],
        ['mittente', 'rifiutat, bloccat, sconosciut, inesistente, non'],
        ['nadawc', 'zablokowan, odrzucon, nieznan, nieprawidłow, nie'],
        ['отправител', 'отклонен, заблокирован, неизвест, не найден, не существует, списке получателя'],
        ['发件人, 發件人, 寄件人', '被拒, 拒收, 不存在, 黑名单'],
        ['送信者, 送信元, 送信ドメイン', '拒否, 存在しない, 存在しま'],
      ),
      phrases(
        'absenderadresse, adresse des absenders, nicht autorisiert, nicht berechtigt',
        "adresse de l'expéditeur, dirección del remitente, endereço do remetente, indirizzo del mittente, adres nadawcy",
        'адрес отправителя, 发件人地址, 送信者のドメイン, 送信ドメイン, 送信元アドレス, 受信拒否, 발신자',
      ),
    ),
    id: 'sender_refused_other_language',
    class: 'policy',
    source: `${hosters}; RFC 3463 §3.2, X.1.7 and X.1.8`,
  },
  {
    text: anyOf(
      pairs(
        ['empfänger', 'akzeptiert keine, nimmt keine'],
        ['destinataire', "n'accepte, a bloqué, refuse"],
        ['destinatario', 'ha bloqueado, no acepta, rechaza, non accetta, ha bloccato, rifiuta'],
        ['destinatário', 'bloqueou, não aceita, recusa'],
        ['受信者', '拒否'],
      ),
      phrases(
        'vom empfänger abgelehnt, nur emails von, par le destinataire, por el destinatario, pelo destinatário',
        'dal destinatario, przez odbiorcę, получателем отклонен, отклонено получателем, 收件人拒收, 수신자가 거부',
      ),
    ),
    id: 'recipient_refuses_other_language',
    class: 'policy',
    isPerRecipient: true,
    source: `${hosters}: the recipient refuses this sender`,
  },
  {
    text: phrases(
      'als spam, spamverdacht, spam erkannt, unerwünschte werbung, nachricht ist zu groß, anhang nicht erlaubt',
      'virus gefunden, zulässige größe, maximale größe, keine emails mit',
      'contenu indésirable, contenu refusé, courrier indésirable, message indésirable, message trop volumineux',
      'message trop gros, pièce jointe refusée, identifié comme, considéré comme spam, comme indésirable',
      'contenido no deseado, conteúdo indesejado, contenuto indesiderato, unerwünschter inhalt',
      'contener spam, como spam, correo no deseado, contenido rechazado, conteúdo identificado',
      'conteúdo recusado, mensaje demasiado grande, mensagem muito grande, tamaño máximo, tamanho máximo',
      'contenuto rifiutato, posta indesiderata, messaggio troppo grande, jako spam, niechciana wiadomość',
      'wiadomość jest zbyt duża, wiadomość zbyt duża',
      'как спам, содержит спам, похоже на спам, подозрение на спам, слишком большое, размер письма превышает',
      'содержит вирус',
      '垃圾邮件, 垃圾郵件, 内容被拒, 含有病毒, 邮件过大, 邮件大小超, 迷惑メール, スパムとして, スパムと判定, ウイルス, 스팸 메일, 스팸으로, 바이러스',
    ),
    id: 'content_other_language',
    class: 'content',
    source: hosters,
  },
  {
    code: /^5/,
    text: recipientElsewhere,
    unless: anyOf(
      ourAddressElsewhere,
      ourAccountElsewhere,
      phrases(
        'ip-adresse, adresse ip, dirección ip, endereço ip, indirizzo ip, adres ip, ip-адрес, ip地址, ipアドレス',
        'ip-adress, ip-osoite, ip cím, ip-cím, adresa ip, địa chỉ ip, alamat ip, ip adresa, ip-адреса, διεύθυνση ip, ip adresi',
        'ihre adresse, votre serveur, votre hôte, votre nom, ваш сервер, ваш хост, ваша почт, 寄件, 您的服务器, 您的主机, 您的地址, 送信, 발신',
      ),
    ),
    id: 'recipient_other_language',
    class: 'invalid',
    source: `${hosters}; RFC 5321 §4.2.3, 550`,
  },
]
