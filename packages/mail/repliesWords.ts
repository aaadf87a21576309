/*
 * Words of letters only that many replies of servers contain, or that are the login of every customer of a provider or
 * of many servers. `replies.corpus.txt` is the source of the former: the test names the least frequency.
 */
const words = `
a aborted abuse accept accepted accepting accepts access account action active address addresses admin administrator
adresse after again alias all allowed an and another answer any api apikey app are as at attachment attachments
attack attempt attempts aup auth authenticate authenticated authentication authorized available back backend bad
banned based be because been before being benutzer big bl black blacklist blacklisted block blocked body bounce
bounces busy but by c can cannot casella characters check chkuser classified client closed closing code come command
company complaints compte concurrent configuration configured connection connections contact contains content could
count credentials cuenta currently customer d daemon daily data database date dd de deactivated deferred del deleted
deliver delivered delivery denied destinataire destinatario destination detail details detected die directory
disabled disk dkim dmarc dns dnsbl do docs does doesn domain domains down dt du due dynamic ehlo either el email
emailapikey emails en enough entry envelope error errors esmtp est exceed exceeded exceeds excessive exhausted exist
existe existiert expired explanation external fail failed failure field file filter find first following for
forbidden forward found frequency from full fwlink gmail go greylisted greylisting group gsmtp ha has have header
headers hello helo help here high host hostname hour hourly http https i id identity if ihr il illegal in inactive
inactivity inbox incoming inconnu info information insufficient internal internet invalid invalide ip is isn ist it
its known konto l la large last later ldap le left length like limit limite limited limits line link linkid list
listed local locked log login long longer looks lookup low mail mailbox mailer mailgun mailing mailjet mails
malformed many match max maximum may mb me members message messages micro mime minutes missing mittente more moved
mta much multiple must mx my n name need network new newsletter nicht nie no non nonexistent noreply not
notification notifications now null number o of office on one only open operator or organization originating our out
outbound outgoing over own owner p part pass password path per permanent permitted person phishing plan please plus
policy poor por possible postfach postmark postmaster problem process processing prohibited protect provider ptr
query queue quota rate rbl rcpt rdns reach reached reasons receive received receiving recipient recipients record
refuse refused registered reject rejected rejecting relay relaying remote removal reply reputation request requested
required requires resend resolve resource resources restricted retry return returned reverse rfc root route s sales
score seconds section security see send sender senders sendgrid sending sent server service session sessions
settings signature size sl slow smtp smtpuser sorry source space spam spamhaus spammer sparkpost spf starttls
storage su subject subtype such support supported suspended suspicious syntax system t table taken temporarily
temporary tenant terminated test than that the there they this threshold through time timed timeout tls to today
token too transaction transmission trend tried trop try type unable unauthenticated unavailable undeliverable under
unknown unsolicited unsuccessful until up url us use used user username users using usuario utilisateur valid
validation verification verified verify veuillez via violation virus visit votre wait was we web webmaster which
while why will with without wrong wurde x yet you your
`

const replyWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))

/** Returns whether a text is a word that a reply may have without a reference to a certain user, in any case. */
export const isReplyWord = (text: string): boolean => replyWords.has(text.toLowerCase())
