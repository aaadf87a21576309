/* Texts that run a script in a page that shows them as markup. Each calls `canary`, in the page itself or around it. */

const call = "(top.canary||parent.canary||self.canary)('x')"

/** Markup, as a customer may send it in an email. */
export const markupPayloads: readonly string[] = [
  `<script>${call}</script>`,
  `<script src="data:text/javascript,${call}"></script>`,
  `<script type="module">${call}</script>`,
  `<img src=x onerror="${call}">`,
  `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload="${call}">`,
  `<svg onload="${call}"></svg>`,
  `<svg><script>${call}</script></svg>`,
  `<svg><animate onbegin="${call}" attributeName=x dur=1s></svg>`,
  `<svg><a xlink:href="javascript:${call}"><text y="20">x</text></a></svg>`,
  `<math><mtext></p><img src onerror="${call}"></mtext></math>`,
  `<math href="javascript:${call}">x</math>`,
  `<body onload="${call}">`,
  `<body onpageshow="${call}">`,
  `<style onload="${call}"></style>`,
  `<link rel="stylesheet" href="data:text/css,x" onload="${call}">`,
  `<link rel="import" href="data:text/html,<script>${call}</script>">`,
  `<iframe src="javascript:${call}"></iframe>`,
  `<iframe srcdoc="<script>${call}</script>"></iframe>`,
  `<iframe src="data:text/html,<script>${call}</script>"></iframe>`,
  `<object data="data:text/html,<script>${call}</script>"></object>`,
  `<embed src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${call}'/>">`,
  `<video><source onerror="${call}"></video>`,
  `<audio src onerror="${call}"></audio>`,
  `<details open ontoggle="${call}">x</details>`,
  `<input autofocus onfocus="${call}">`,
  `<select autofocus onfocus="${call}"></select>`,
  `<marquee onstart="${call}">x</marquee>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${call}">`,
  `<meta http-equiv="refresh" content="0;url=data:text/html,<script>${call}</script>">`,
  `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'"><script>${call}</script>`,
  `<base href="javascript:/a/-${call}//"><a href="#">x</a>`,
  `<form action="javascript:${call}" id="f"><button autofocus onfocus="this.form.submit()">x</button></form>`,
  `<div style="animation-name:x" onanimationstart="${call}"></div><style>@keyframes x{}</style>`,
  `<p style="background:url(javascript:${call})">x</p>`,
  `</iframe><script>${call}</script>`,
  `"></iframe><img src=x onerror="${call}">`,
  `<!--><img src=x onerror="${call}">-->`,
  `<noscript><p title="</noscript><img src=x onerror=${call}>">`,
  `<template><script>${call}</script></template><img src=x onerror="${call}">`,
  `<textarea></textarea><img src=x onerror="${call}"></textarea>`,
]

/** Short texts without quotes and line breaks, for names, subjects and replies of servers. */
export const textPayloads: readonly string[] = [
  '<script>canary(1)</script>',
  '<img src=x onerror=canary(2)>',
  '<svg/onload=canary(3)>',
  '</title><script>canary(4)</script>',
  '</script><script>canary(5)</script>',
  'javascript:canary(6)',
  '{{constructor.constructor("canary(7)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is what a template engine would run.
  '${canary(8)}',
  '&lt;img src=x onerror=canary(9)&gt;',
  '<iframe srcdoc=<script>canary(10)</script>>',
  '<a href=javascript:canary(11)>x</a>',
  '"><img src=x onerror=canary(12)>',
  "'-canary(13)-'",
  '<details open ontoggle=canary(14)>',
]

/** Markup that loads something from another host, which would learn when and where the mail is read. */
export const remotePayloads = (origin: string): readonly string[] => [
  `<img src="${origin}/a.png">`,
  `<p style="background:url(${origin}/b.png)">x</p>`,
  `<style>@import "${origin}/c.css";@font-face{font-family:f;src:url(${origin}/d.woff)}p{font-family:f}</style><p>x</p>`,
  `<link rel="stylesheet" href="${origin}/e.css">`,
  `<link rel="prefetch" href="${origin}/f"><link rel="dns-prefetch" href="${origin}">`,
  `<iframe src="${origin}/g"></iframe>`,
  `<video poster="${origin}/h.png" src="${origin}/i.mp4" autoplay></video>`,
  `<meta http-equiv="refresh" content="0;url=${origin}/j">`,
  `<object data="${origin}/k"></object>`,
  `<form action="${origin}/l" id="f"><input name=a></form><script>f.submit()</script>`,
]
