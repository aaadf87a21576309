import { anyOf, pattern } from './pattern.ts'
import { pairs, phrases } from './phrases.ts'

/** “Der Empfänger existiert auf diesem System nicht”: the verb and its negation are apart. */
const negatedLater = pattern`${phrases('benutzer, nutzer, empfänger, postfach, adresse, konto')}[^.;]{0,40}\bexistiert [^.;]{1,40} nicht\b`

/** A recipient and a state in which it gets no mail, in languages other than English. */
export const recipientElsewhere = anyOf(
  negatedLater,
  pairs(
    [
      'benutzer, nutzer, empfänger, postfach, adresse, konto, mailbox, account',
      'unbekannt, nicht bekannt, existiert nicht, nicht gefunden, nicht vorhanden, nicht registriert, nicht eingetragen, gelöscht, deaktiviert, nicht mehr verfügbar, nicht mehr verfuegbar, abgeschaltet, gekündigt, geschlossen, aufgelöst, nicht mehr vergeben, nicht (mehr) vergeben, nicht vergeben, nicht angelegt, nicht eingerichtet',
    ],
    [
      'es gibt keine, es gibt kein, niemand unter, kein solche, keine solche',
      'person, benutzer, nutzer, empfänger, postfach, adresse, konto',
    ],
    [
      'utilisateur, destinataire, adresse, boîte, compte, correspondant',
      "inconnu, inexistant, n'existe, n'est plus, introuvable, désactivé, fermé, supprimé, résilié, pas enregistré, non enregistré",
    ],
    [
      'kein benutzer, kein nutzer, kein postfach, kein konto, kein empfänger, keine mailbox, keine adresse',
      'mit diesem, mit dieser, unter, dieses namens, gefunden',
    ],
    ['användare, mottagare, brevlåda, adress, konto', 'finns inte, existerar inte, okänd, hittades inte'],
    [
      'bruger, bruker, modtager, mottaker, postkasse, adressen',
      'findes ikke, finnes ikke, eksisterer ikke, ukendt, ukjent',
    ],
    ['kullanıcı, alıcı, posta kutusu', 'bulunamadı, mevcut değil, yok, geçersiz'],
    ['查无此, 没有该, 没有此, 无此', '用户, 使用者, 收件, 账号, 帐号, 邮箱, 人'],
    ['該当する, 該当の', 'いません, ありません, 見つかり'],
    ['aucun', 'utilisateur, destinataire, adresse, boîte, compte, correspondant'],
    ['ningún, ninguna', 'usuario, destinatario, cuenta, buzón, dirección, casilla'],
    ['nenhum', 'usuário, destinatário, conta, caixa, endereço'],
    ['nessun', 'utente, destinatario, casella, indirizzo'],
    [
      'usuario, destinatario, cuenta, buzón, dirección, casilla',
      'desconocid, inexistente, no existe, no encontrad, no fue encontrad, deshabilitad, desactivad, eliminad, cancelad, dada de baja, dado de baja, no está dado de alta, no está dada de alta, inactiv, no registrad, no está registrad',
    ],
    [
      'usuário, destinatário, conta, caixa, endereço',
      'desconhecid, inexistente, não existe, não encontrad, não localizad, desativad, inativ, cancelad, encerrad, excluíd, não cadastrad, não registrad',
    ],
    [
      'utente, destinatario, casella, indirizzo, account',
      'sconosciut, inesistente, non esiste, non presente, non registrat, non trovat, disattivat, inattiv, cancellat, disabilitat',
    ],
    ['użytkownik, odbiorc, konto, adres, skrzynk', 'nieznan, nie istnieje, nie znaleziono, usunięt, nieaktywn'],
    ['nie ma takiego', 'użytkownik, konta, adresu'],
    ['uživatel, schránka, adresát, příjemce, používateľ, príjemca', 'neexistuje, neznám'],
    ['gebruiker, mailbox, adres', 'onbekend, bestaat niet, niet bekend, niet gevonden, opgeheven'],
    [
      'пользовател, получател, адрес, ящик, учетн',
      'не найден, не существует, неизвест, не зарегистрирован, отключен, удален',
    ],
    ['такого, такой', 'нет, не существ, не найд'],
    ['нет такого, неизвестный', 'пользовател, получател, адрес, ящик'],
    [
      '用户, 使用者, 收件, 账号, 帐号, 帳號, 邮箱, 信箱',
      '不存在, 未找到, 未开通, 已停用, 已注销, 已被注销, 已被删除, 休眠状态, 已休眠',
    ],
    ['ユーザ, アドレス, 宛先, メールボックス, アカウント', '存在しま, 存在しない, 見つかり, 不明'],
    ['사용자, 수신자, 계정, 주소', '존재하지, 찾을 수 없'],
    ['존재하지 않는, 없는', '사용자, 수신자, 계정, 주소'],
    ['okänd, okänt, ingen sådan, inget sådant, finns ingen', 'användare, mottagare, brevlåda, konto'],
    [
      'ukendt, ukjent, ingen sådan, ingen slik, findes ingen, finnes ingen',
      'bruger, bruker, modtager, mottaker, postkasse',
    ],
    ['käyttäjä, vastaanottaja, postilaatikko, osoite', 'ei löydy, ei löytynyt, ei ole olemassa, tuntematon, poistettu'],
    ['tuntematon, ei löydy, olematon', 'käyttäjä, vastaanottaja, postilaatikko'],
    ['neznámý, neznámá, neznámy, neexistující', 'uživatel, příjemce, adresát, schránka, používateľ, príjemca'],
    ['ismeretlen, nincs ilyen, nem létező', 'felhasználó, címzett, postafiók, fiók'],
    ['felhasználó, címzett, postafiók, fiók', 'nem létezik, nem található, ismeretlen, megszűnt'],
    [
      'utilizator, destinatar, căsuța, cutia, contul, adresa',
      'nu există, necunoscut, inexistent, nu a fost găsit, dezactivat',
    ],
    ['nu există', 'utilizator, destinatar, căsuț, cont cu'],
    ['χρήστη, παραλήπτη, λογαριασμό, διεύθυνση', 'άγνωστ, δεν υπάρχει, δεν βρέθηκε, ανύπαρκτ'],
    ['άγνωστος, δεν υπάρχει, ανύπαρκτος', 'χρήστη, παραλήπτη, λογαριασμό'],
    ['người dùng, người nhận, hộp thư, địa chỉ, tài khoản', 'không tồn tại, không tìm thấy'],
    [
      'pengguna, penerima, alamat, akun, akaun, kotak surat',
      'tidak ditemukan, tidak ada, tidak dikenal, tidak terdaftar, tidak wujud, tidak dijumpai',
    ],
    ['користувач, отримувач, одержувач, адрес, скриньк', 'не існує, не знайден, невідом'],
    ['невідомий, немає такого', 'користувач, отримувач, одержувач'],
    ['потребител', 'не съществува, не е намерен, неизвест'],
    ['korisnik, primatelj, primalac, uporabnik, prejemnik', 'ne postoji, nije pronađen, nepoznat, ne obstaja, neznan'],
    ['nepoznat, neznan', 'korisnik, primatelj, primalac, uporabnik, prejemnik'],
  ),
)
