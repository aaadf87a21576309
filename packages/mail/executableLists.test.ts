import assert from 'node:assert/strict'
import { executableExtension } from './executables.ts'

/**
 * Copies of the lists of extensions that large receivers refuse, read on 2026-11-29. Each extension is refused, or is
 * listed here with the reason why it is accepted.
 */
const lists: { receiver: string; source: string; extensions: string }[] = [
  {
    receiver: 'Gmail',
    source: 'https://support.google.com/mail/answer/6590',
    extensions:
      'ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp jar ' +
      'jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd wsc wsf wsh xll',
  },
  {
    receiver: 'Outlook',
    source: 'https://support.microsoft.com/office/blocked-attachments-in-outlook-434752e1-02d3-4e90-9124-8b81e49a8519',
    extensions:
      'ade adp app application appref-ms asp aspx asx bas bat bgi cab cer chm cmd cnt com cpl crt csh der diagcab exe fxp gadget ' +
      'grp hlp hpj hta htc inf ins iso isp its jar jnlp js jse ksh lnk mad maf mag mam maq mar mas mat mau mav maw mcf mda mdb ' +
      'mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp mst msu ops osd pcd pif pl plg prf prg printerexport ps1 ' +
      'ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 pst py pyc pyo pyw pyz pyzw reg scf scr sct shb shs theme tmp url vb vbe vbp vbs ' +
      'vhd vhdx vsmacros vsw webpnp website ws wsc wsf wsh xbap xll xnk',
  },
  {
    receiver: 'the default filter of Microsoft Defender',
    source: 'https://learn.microsoft.com/defender-office-365/anti-malware-protection-about (common attachments filter)',
    extensions:
      'ace ani apk app appx arj bat cab cmd com deb dex dll docm elf exe hta img iso jar jnlp kext lha lib library lnk lzh macho ' +
      'msc msi msix msp mst pif ppa ppam reg rev scf scr sct sys uif vb vbe vbs vxd wsc wsf wsh xll xz z',
  },
]

const accepted: Record<string, string> = {
  'certificates and their text': 'cer crt der',
  'data that only Outlook refuses': 'mat mdb pst tmp',
  'archives, which are read by their content': 'ace arj lha lzh rev xz z',
  'a document with macros': 'docm',
}

describe('lists of extensions that receivers refuse', () => {
  const known = new Set(Object.values(accepted).flatMap((some) => some.split(' ')))
  for (const { receiver, source, extensions } of lists)
    it(`are complete for ${receiver} (${source})`, () => {
      const missing = extensions.split(' ').filter((one) => executableExtension(`x.${one}`) === null && !known.has(one))
      assert.deepEqual(missing, [])
    })
})
