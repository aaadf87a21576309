import { anyOf } from './pattern.ts'
import { phrases } from './phrases.ts'

/** English words that servers use, and endings of English words. */
const english = anyOf(
  /\b(?:a|an|no|is|be|if|the|this|that|these|those|there|you|your|we|our|us|it|its|they|he|i|am|are|was|were|been|being|has|have|had|do|does|did|don't|not|can|cannot|can't|could|will|would|should|must|may|might)\b/,
  /\b(?:and|or|but|if|then|than|because|due|since|until|while|when|where|which|who|why|what|how|for|from|with|without|within|into|onto|over|under|after|before|between|of|on|off|in|at|to|by|as|up|out|too|so|only|also|again|more|less|any|all|some|each|every|one|other)\b/,
  /\b(?:bad|wrong|good|new|old|low|high|poor|long|short|big|large|small|slow|fast|late|crash|disk|tarpit|teergrube|eof|enoent|wait|try|see|use|call|fix|check|look|ask|need|want|allow|block|ban|drop|stop|fail|break|lost|left|full|fee|bill|pay|paid|unpaid|debt|fraud|abuse|harm|risk|trust|score|junk|test|weather|thing|reason|problem|trouble|issue|fault)s?\b/,
  /\b(?:unknown|invalid|illegal|internal|external|remote|local|temporary|permanent|broken|forbidden|undefined|null|nil|none|never|currently|please|sorry|hello|help|denied|access|policy|private|public|closed|open|down|away|later|today|again)\b/,
  /\b[a-z]{3,20}(?:ed|ing|tion|sion|ment|able|ible|ness|less|ure|ity|ful|ly|ance|ence)s?\b/,
)

/** Words of servers and of sending, which many languages share, and those of a few languages. */
const ofServers = anyOf(
  /\b(?:e?mails?|smtp|imap|ldap|sql|php|http|tls|ssl|spf|dkim|dmarc|rbl|dns|mx|ip|ipv[46]|rcpt|data|ehlo|helo|auth|login|api|url|nat|acl|cpu|io|ram|vps|spam|virus|bot|proxy|server\w{0,4}|servi[dc]or\w{0,2}|serveur\w{0,2}|serwer\w{0,3}|clients?|host\w{0,4}|domain\w{0,4}|domen\w{0,3}|relay\w{0,3}|router?|system\w{0,3}|sistema|systeme|protocol\w{0,2}|protokol\w{0,2}|port|socket|session|sesion|kernel|cache|cluster|node|queue|buffer|script|plugin|milter|filter\w{0,2}|filtro|filtre|limit\w{0,3}|quot\w{1,3}|rate|timeout|error\w{0,3}|erreur\w{0,1}|errore|erro|err|fehler\w{0,4}|exception|status|code|panic|fatal|debug|warning|token|key|hash|account|test|http\d{0,3})\b/,
  /fehler\b|server\b|datenbank|verbindung|zertifikat|limit\b|sperre\b/,
  phrases(
    'verweigert, abgelehnt, berechtig, gesperrt, wartung, störung, vertrag, rechnung, bezahlt, refusé, interdit, bloqué',
    'denegad, negado, negada, negato, rifiutat, bloquead, bloccat, prohibid, proibid, vietat, odmow, odmów, zablokow',
    'geweigerd, geblokkeerd, nekad, nægtet, nektet, mantenimiento, manutenção, manutenzione, factur, fatura, fattur',
    'contrat, contrato, contratto, запрещ, отказ, заблокир, обслуживан, 拒绝, 拒絕, 拒否, 维护, 維護, メンテナンス, 거부, 점검',
    'base de datos, base de dados, base de données, database, conexión, conexão, connexion, connessione, połączen',
    'лимит, сервер, ошибк, соединен, подключен, база данных, базы данных, спам, сертификат, оплат, договор',
    '服务器, 伺服器, 连接, 連接, 系统, 系統, 数据库, 错误, 錯誤, 超时, 超過, 限制, 频率, 欠费, 到期, 域名, 发送, 發送, 发信',
    'サーバ, 接続, システム, データベース, エラー, 制限, 送信, ドメイン, 서버, 연결, 시스템, 오류, 제한, 발송, 송신',
  ),
)

/**
 * Words that a server would use for another reason than the recipient. A text without any is in a language that the
 * rules cannot read, or no language.
 */
export const readableText = anyOf(english, ofServers)
