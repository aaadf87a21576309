import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../test/support/cost.ts'
import { attachmentName, checkContentId, checkContentType } from './attachments.ts'

const names: [filename: string, result: string][] = [
  ['invoice.pdf', 'invoice.pdf'],
  ['Rechnung Größe.pdf', 'Rechnung Größe.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\jane\\report.docx', 'report.docx'],
  ['/a/b/', '!invalid_filename'],
  ['..', '!invalid_filename'],
  ['', '!invalid_filename'],
  [' ', '!invalid_filename'],
  ['a"\r\nX: 1.txt', '!control_character'],
  ['x.pdf\0.exe', '!control_character'],
  ['x\u202efdp.txt', '!control_character'],
  ['x\u200b.txt', '!control_character'],
  ['x\ud800.txt', '!lone_surrogate'],
  ['x.exe', '!executable_attachment'],
  ['x.EXE', '!executable_attachment'],
  ['x.pdf.js', '!executable_attachment'],
  ['x.exe.', '!executable_attachment'],
  ['x.exe . ', '!executable_attachment'],
  ['x.exe::$DATA', '!executable_attachment'],
  ['a/b.scr', '!executable_attachment'],
  ['exe.pdf', 'exe.pdf'],
  ['notes', 'notes'],
  ['.env', '.env'],
  // Regression: these were accepted: some programs read the wide signs as separators of folders.
  ['..／..／passwd', '!invalid_filename'],
  ['..＼x.txt', '!invalid_filename'],
  ['x／..／y.txt', '!invalid_filename'],
  ['見積書／2026.pdf', '見積書／2026.pdf'],
  ['a..b.pdf', 'a..b.pdf'],
  ['n'.repeat(255), 'n'.repeat(255)],
  ['n'.repeat(256), '!invalid_filename'],
  ['n'.repeat(1_000_000), '!invalid_filename'],
  ['x.ex%65', '!executable_attachment'],
  ['x.%', 'x.%'],
  ['x.exe\u00a0', '!executable_attachment'],
  ['x.exe"', '!executable_attachment'],
  ['x.exe;1', '!executable_attachment'],
  ['x.pdf:y.exe', '!executable_attachment'],
  ['x.pdf;y.exe', '!executable_attachment'],
  ['x.ｅｘｅ', '!executable_attachment'],
  ['x․exe', '!executable_attachment'],
  ['x.e\u00adxe', '!executable_attachment'],
  ['x.e\u{e0001}xe', '!executable_attachment'],
  ['x.txt.{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}', '!executable_attachment'],
  // Windows removes the dots at the end before it reads the extension.
  ['x.txt.{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}. .', '!executable_attachment'],
  ['x.txt.｛3050f4d8-98b5-11cf-bb82-00aa00bdce0b｝', '!executable_attachment'],
  ['x.{draft}.pdf', 'x.{draft}.pdf'],
  ['x.appref-ms', '!executable_attachment'],
  ['.exe', '!executable_attachment'],
  ['run.sh', '!executable_attachment'],
  // A program may end a decoded name at its first NUL.
  ['x.exe%00.txt', '!executable_attachment'],
  ...(
    'py pl fxp hpj htc mad maw mda mdz plg prg printerexport pssc cdxml udl class ocx drv efi war swf air scpt workflow ' +
    'action terminal inetloc fileloc webloc ipa apkm snap flatpak xpi crx rdp iqy xla xlam ppam wll vsto ' +
    'accda accde accdr accdu cjs dqy dylib mpkg oqy prefpane rqy sis sisx sparsebundle sparseimage'
  )
    .split(' ')
    .map((extension): [string, string] => [`x.${extension}`, '!executable_attachment']),
  // Regression: files that Outlook refuses, and others that run, were accepted.
  ...(
    'asp aspx asx bgi cnt grp its prf slk one onepkg appinstaller ppkg deskthemepack vbscript a3x au3 ahk fish tcsh wim ' +
    'esd swm vdi vmdk qcow2 vsix oxt phar saver osax xap'
  )
    .split(' ')
    .map((extension): [string, string] => [`x.${extension}`, '!executable_attachment']),
  // Regression: images, shortcuts, scripts and packages of the same kinds were accepted.
  ...(
    'ani library uif mobileconfig ftploc afploc mailloc vncloc nrg toast udf daa isz rb rbw tcl tool shortcut alfredworkflow ' +
    'emsix eappx emsixbundle eappxbundle ica'
  )
    .split(' ')
    .map((extension): [string, string] => [`x.${extension}`, '!executable_attachment']),
  // Drawings, subtitles, measurements, and source code that opens in an editor.
  ...['x.cdr', 'x.smi', 'x.mdf', 'x.ccd', 'x.php', 'x.lua'].map((name): [string, string] => [name, name]),
  // Dots of other scripts, and letters that are drawn as Latin ones.
  ...[
    'x。exe',
    'x｡exe',
    'x٠exe',
    'x۔exe',
    'xꓸexe',
    'x܁exe',
    'x·exe',
    'x︒exe',
    'x\u2840exe',
    'x\u{10a50}exe',
    'x。txt。scr',
  ].map((name): [string, string] => [name, '!executable_attachment']),
  ...[
    'x.ехе',
    'x.еxе',
    'x.ΕΧΕ',
    'x.ｅхe',
    'x.exé',
    'x.bаt',
    'x.соm',
    'x.ıso',
    'x.İSO',
    'x。ехе',
    'x.vbѕ',
    'x.bɑt',
    'x.ꜱcr',
    'x.ᴇxe',
    'x.νbs',
    'x.LΝK',
    'x.ΙΝF',
  ].map((name): [string, string] => [name, '!executable_attachment']),
  // Regression: these were accepted: encoded twice, and with a plain sign next to an encoded sign.
  ['x%252eexe', '!executable_attachment'],
  ['x.exe%2520', '!executable_attachment'],
  ['x%E3%80%82exe', '!executable_attachment'],
  ['50%zz.e%78e', '!executable_attachment'],
  ['100%25.pdf', '100%25.pdf'],
  ['報告。第一章', '報告。第一章'],
  ['報告書。docx', '報告書。docx'],
  ['col·lecció.pdf', 'col·lecció.pdf'],
  ['сайт.ру', 'сайт.ру'],
  ['Отчёт за март.docx', 'Отчёт за март.docx'],
  ['تقرير ٢٠٢٤.pdf', 'تقرير ٢٠٢٤.pdf'],
  ['x.csv', 'x.csv'],
  ['x.crt', 'x.crt'],
  ['x.mat', 'x.mat'],
  ['x.ts', 'x.ts'],
  ['x.docm', 'x.docm'],
  ['x.exe.pdf', 'x.exe.pdf'],
  ['exe', 'exe'],
  ['command', 'command'],
  ['a.b; c.pdf', 'a.b; c.pdf'],
  ['100%.pdf', '100%.pdf'],
  ['v1.2 (final).docx', 'v1.2 (final).docx'],
  ['=?utf-8?q?x=2Eexe?=', '!invalid_filename'],
  ['=?UTF-8?B?eC5leGU=?=.pdf', '!invalid_filename'],
  ['a =?iso-8859-1*en?Q?b c?= d.pdf', '!invalid_filename'],
  ['what=?.pdf', 'what=?.pdf'],
  ['=?utf-8?x?y?=.pdf', '=?utf-8?x?y?=.pdf'],
  ['x.pdf"; filename="y.txt', '!invalid_filename'],
  ['x.pdf; name=y.txt', '!invalid_filename'],
  ["x.pdf;FileName*=utf-8''y.txt", '!invalid_filename'],
  ['x.pdf; filename*0*=y.txt', '!invalid_filename'],
  ['x.pdf ; boundary = y', '!invalid_filename'],
  ['x; size=1.pdf', 'x; size=1.pdf'],
  // Regression: these were accepted: a comment before the parameter, wide signs, and the same percent-encoded.
  ['x.pdf;(c)name=y.txt', '!invalid_filename'],
  ['x.pdf; (c) filename*0* = y', '!invalid_filename'],
  // Regression: these were accepted: one flat comment was expected.
  ['x.pdf; (c)(d) name=y', '!invalid_filename'],
  ['x.pdf; (a(b)) filename=y', '!invalid_filename'],
  ['x.pdf; ( ; ) (a(b(c))) boundary=y', '!invalid_filename'],
  ['x.pdf; filename (c) = y', '!invalid_filename'],
  ['x.pdf; name*0(c)(d)*=y', '!invalid_filename'],
  ['x; (draft) 2026.pdf', 'x; (draft) 2026.pdf'],
  ['x; (draft) nickname=y.pdf', 'x; (draft) nickname=y.pdf'],
  ['x.pdf；name＝y.txt', '!invalid_filename'],
  ['x.pdf%3Bfilename%3Dy.txt', '!invalid_filename'],
  ['＝？utf-8？q？x？＝.pdf', '!invalid_filename'],
  ['%3D%3Futf-8%3Fq%3Fx%3F%3D.pdf', '!invalid_filename'],
  ['..%2f..%2fetc%2fpasswd', '!invalid_filename'],
  ['x%255c..%255cy.txt', '!invalid_filename'],
  ['x (1; 2).pdf', 'x (1; 2).pdf'],
  // Regression: these were accepted: the reader saw no name.
  ...['\u3164', '\u2800', '\u00ad', '\u200d\u200c', '\u034f', '\ufe0f', '/a/\u115f', ' \u2800 '].map(
    (name): [string, string] => [name, '!invalid_filename'],
  ),
  ['\u200d.pdf', '\u200d.pdf'],
  // Regression: names were counted in UTF-16 units, so 128 of these were too many.
  ['😀'.repeat(255), '😀'.repeat(255)],
  ['😀'.repeat(256), '!invalid_filename'],
  // Regression: these were accepted, with a default type that is refused.
  ...'ecma onetoc onetoc2 onea onetmp udeb spl'
    .split(' ')
    .map((extension): [string, string] => [`x.${extension}`, '!executable_attachment']),
]

describe('attachmentName', () => {
  for (const [filename, expected] of names) {
    it(`${JSON.stringify(filename.slice(0, 40))} is ${expected.slice(0, 40)}`, () => {
      const result = attachmentName(filename)
      assert.equal(result.ok ? result.name : `!${result.code}`, expected)
    })
  }

  // Regression: 254 signs before a letter that NFKC writes as four characters each used 260 ms.
  it('reads many signs in a name in linear time', async () => {
    for (const name of [
      `${'⁗'.repeat(254)}a`,
      `${' '.repeat(1_019)}a`,
      `${'\u2057'.repeat(253)}a:`,
      `a${'…'.repeat(254)}`,
    ])
      await assertCpuBelow(10, () => void attachmentName(name))
    const signs = '⁗'.repeat(60)
    assert.equal(attachmentName(`a.exe${signs}`).ok, false)
    assert.equal(attachmentName(`a.exe${signs}b`).ok, true)
  })
})

const types: [contentType: string, code: string | null][] = [
  ['application/pdf', null],
  ['text/csv; charset=utf-8', null],
  ['text/calendar;method=REQUEST; charset="utf-8"', null],
  ['image/svg+xml', null],
  ['', 'invalid_content_type'],
  ['pdf', 'invalid_content_type'],
  ['application/', 'invalid_content_type'],
  ['text/plain;', 'invalid_content_type'],
  ['text/plain; charset', 'invalid_content_type'],
  ['text/plain; a="b', 'invalid_content_type'],
  ['text/plain; a=b c', 'invalid_content_type'],
  ['text/plän', 'invalid_content_type'],
  ['text/plain\r\nX: y', 'control_character'],
  ['text/plain; a="\r\n"', 'control_character'],
  ['multipart/mixed; boundary=x', 'invalid_content_type'],
  ['Message/rfc822', 'invalid_content_type'],
  [`text/${'x'.repeat(300)}`, 'invalid_content_type'],
  ['application/pdf; name=x.pdf', 'invalid_content_type'],
  ['application/pdf; NAME="x.pdf"', 'invalid_content_type'],
  ["application/pdf;name*=utf-8''x.pdf", 'invalid_content_type'],
  ['application/pdf; name*0="x"; name*1=".pdf"', 'invalid_content_type'],
  ['application/pdf; filename=x.pdf', 'invalid_content_type'],
  ['text/plain; charset=utf-8; boundary=x', 'invalid_content_type'],
  ['application/octet-stream; name=x.exe', 'executable_attachment'],
  ['application/octet-stream; filename="x.scr"', 'executable_attachment'],
  ['text/plain; a="=?utf-8?q?b?="', 'invalid_content_type'],
  ['text/plain; title="name of x"', null],
  // Regression: these were accepted.
  ['*/*', 'invalid_content_type'],
  ['application/*', 'invalid_content_type'],
  ['text/x*y', 'invalid_content_type'],
  ['application/x-msdownload', 'executable_attachment'],
  ['Application/X-MSDownload; charset=binary', 'executable_attachment'],
  ['application/x-msdos-program', 'executable_attachment'],
  ['application/vnd.microsoft.portable-executable', 'executable_attachment'],
  ['application/x-sh', 'executable_attachment'],
  ['text/x-sh', 'executable_attachment'],
  // Regression: these were accepted.
  ['application/x-ruby', 'executable_attachment'],
  ['text/x-ruby', 'executable_attachment'],
  ['text/x-tcl', 'executable_attachment'],
  ['application/x-apple-aspen-config', 'executable_attachment'],
  ['application/x-php', null],
  ['application/vnd.corel-draw', null],
  ['application/x-executable', 'executable_attachment'],
  ['application/java-archive', 'executable_attachment'],
  ['text/javascript', 'executable_attachment'],
  ['application/vnd.android.package-archive', 'executable_attachment'],
  // The kind in front of the subtype was compared too.
  ['video/x-msdownload', 'executable_attachment'],
  ['x-world/x-exe', 'executable_attachment'],
  ['text/x-python', 'executable_attachment'],
  ['application/x-perl', 'executable_attachment'],
  ['application/x-ms-manifest', 'executable_attachment'],
  ['application/internet-shortcut', 'executable_attachment'],
  ['application/x-xpinstall', 'executable_attachment'],
  ...[
    ...['application/x-scr', 'application/cmd', 'text/x-vbs', 'text/x-applescript', 'application/x-ms-regedit'],
    ...['text/x-msdos-batch', 'application/x-python-code', 'application/x-apk', 'application/x-itunes-ipa'],
    ...['application/vnd.flatpak', 'application/x-chrome-extension', 'application/vnd.symbian.install'],
  ].map((type): [string, string] => [type, 'executable_attachment']),
  // Regression: these were accepted.
  ...(
    'x-jar jar java x-java x-java-class x-shockwave-flash vnd.adobe.flash.movie futuresplash x-ms-wim prg x-cab x-chm ' +
    'winhlp x-dmg x-iso x-iso9660 x-vhdx x-vmdk x-qemu-disk vnd.efi.iso x-setupscript inf x-ms-reg x-registry x-lnk ' +
    'x-mslnk x-windows-shortcut x-url x-webloc x-python-bytecode x-pyc x-bytecode.python windows-library+xml ' +
    'windows-search-connector+xml x-ms-xbap x-xbap x-silverlight-app x-ms-diagcab onenote msonenote x-appinstaller ' +
    'vnd.openofficeorg.extension x-opera-extension x-internet-signup x-msexe x-ms-ne-executable x-ms-win-installer ' +
    'x-wine-extension-msp'
  )
    .split(' ')
    .map((subtype): [string, string] => [`application/${subtype}`, 'executable_attachment']),
  ['text/scriptlet', 'executable_attachment'],
  ['text/javascript1.5', 'executable_attachment'],
  ['text/livescript', 'executable_attachment'],
  // Regression: these were accepted: a program may save the file under the value of any parameter.
  ...[
    ...[
      'title=x.exe',
      'title="x.exe"',
      'x="a.exe"',
      'x="x.exe "',
      'x="x.exe."',
      'x="x%2eexe"',
      'x=x.exe;y=z',
      'y=z;x=x.scr',
    ],
    ...['x-name=x.exe', 'x="C:/a/x.exe"', 'x="x.exe::$DATA"', 'x="x.exe;.txt"', 'x="x.exe%00.txt"'],
    ...['type="application/x-msdownload"', 'x-original-type="application/hta"'],
  ].map((parameter): [string, string] => [`application/octet-stream; ${parameter}`, 'executable_attachment']),
  ["application/octet-stream; x*=utf-8''x%2Eexe", 'invalid_content_type'],
  ['application/octet-stream; x*0="x."; x*1="exe"', 'invalid_content_type'],
  ['application/octet-stream; x="x.e\\\\xe"', 'invalid_content_type'],
  // Regression: these were accepted: programs differ in which one they read.
  ['text/plain; charset=utf-8; charset=utf-7', 'invalid_content_type'],
  ['text/plain; Charset="utf-8"; charset=utf-7', 'invalid_content_type'],
  ['text/plain; x="; a=1"; a=2', null],
  ['application/ld+json; profile="https://schemas.example.com"', null],
  ['text/plain; format=flowed; delsp=yes; charset=us-ascii', null],
  ['application/pdf; version=1.7; title="Report 2026.pdf"', null],
  ['text/csv; header=present; owner="jane@example.com"', null],
  ['application/wasm', null],
  ['application/ms-tnef', null],
  ['text/html; charset="utf-8"', null],
  ['application/vnd.ms-excel.sheet.macroenabled.12', null],
  ['model/obj', null],
  ['application/zip', null],
  ['application/octet-stream', null],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', null],
]

describe('checkContentType', () => {
  for (const [contentType, code] of types) {
    it(`${JSON.stringify(contentType.slice(0, 40))} is ${code ?? 'allowed'}`, () => {
      assert.equal(checkContentType(contentType)?.code ?? null, code)
    })
  }
})

const ids: [contentId: string, code: string | null][] = [
  ['logo', null],
  ['logo.1@acme.example', null],
  ['', 'invalid_content_id'],
  ['<logo>', 'invalid_content_id'],
  ['a b', 'invalid_content_id'],
  // Regression: these were accepted: a parser that decodes it finds another image.
  ['=?utf-8?q?logo?=', 'invalid_content_id'],
  ['logo=?1', null],
  ['lögo', 'invalid_content_id'],
  ['a>\r\nX:', 'control_character'],
  ['x'.repeat(129), 'invalid_content_id'],
]

describe('checkContentId', () => {
  for (const [contentId, code] of ids) {
    it(`${JSON.stringify(contentId.slice(0, 40))} is ${code ?? 'allowed'}`, () => {
      assert.equal(checkContentId(contentId)?.code ?? null, code)
    })
  }
})
