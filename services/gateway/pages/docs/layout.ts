import { type Html, html } from '../html.ts'
import { numberTabs } from './code.ts'

/* The frame of every page of the documentation. */

/** An entry of the navigation, with the parts of its page while that page is shown. */
export type NavigationEntry = { label: string; path: string; parts?: readonly { label: string; id: string }[] }
export type Navigation = readonly { title: string; entries: readonly NavigationEntry[] }[]

/** Files that pages load, by their addresses. */
export type PageAssets = {
  styles: string
  /** Sets theme and language before anything is drawn. */
  early: string
  script: string
  /** The typeface of the dashboard; null: it is not built, so the system's is used. */
  font: string | null
}

export type PageFrame = { navigation: Navigation; assets: PageAssets }

export type Page = {
  path: string
  title: string
  about: string
  content: Html
  /** Headings of the page for the list at its side. */
  contents?: readonly { level: 2 | 3; title: string; id: string }[]
  /** Whether programs stand at the side of the text. */
  isWide?: boolean
}

const sign = html`<svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true"><rect width="32" height="32" rx="8" class="sign"/><path d="M8 21.5V10.8h9.2a5 5 0 0 1 0 10h-4.6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><circle cx="23.8" cy="22" r="1.9" fill="#fff"/></svg>`

const navigationEntry = ({ label, path, parts = [] }: NavigationEntry, current: string): Html => {
  const isCurrent = path === current
  const list =
    isCurrent && parts.length > 0
      ? html`<ul>${parts.map(({ label, id }) => html`<li><a href="#${id}">${label}</a></li>`)}</ul>`
      : ''
  return html`<li><a href="${path}"${isCurrent ? html` aria-current="page"` : ''}>${label}</a>${list}</li>`
}

const navigationList = (navigation: Navigation, current: string): Html =>
  html`${navigation.map(
    ({ title, entries }) => html`<h2>${title}</h2>
<ul>${entries.map((entry) => navigationEntry(entry, current))}</ul>
`,
  )}`

const contentsList = (contents: NonNullable<Page['contents']>): Html => {
  if (contents.length < 2) return html``
  return html`<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2>
<ul>${contents.map(({ level, title, id }) => html`<li class="level-${level}"><a href="#${id}">${title}</a></li>`)}</ul></nav>`
}

/** Returns the markup of a page: readable without scripts, and without content of other hosts. */
export const layout = (page: Page, { navigation, assets }: PageFrame): string =>
  numberTabs(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.about}">
<title>${page.title} · Postrider</title>
${assets.font === null ? '' : html`<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>`}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.styles}">
<script src="${assets.early}"></script>
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs" aria-label="Postrider Docs">${sign}<span>Postrider <span class="docs">Docs</span></span></a>
<search class="search"><form action="/docs/search" data-search>
<input type="search" name="q" placeholder="Search" aria-label="Search the documentation" maxlength="100" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
</form></search>
<button type="button" class="use-key" data-use-key hidden>Use a test key</button>
<a class="dashboard" href="/">Dashboard</a>
<button type="button" class="menu" popovertarget="menu" aria-label="Menu"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg></button>
</header>
<div class="frame">
<nav id="menu" class="navigation" popover aria-label="Documentation" tabindex="-1">
${navigationList(navigation, page.path)}<p class="only-phone"><a href="/">Dashboard</a></p></nav>
<main id="content" tabindex="-1"${page.isWide ? html` class="wide"` : ''}>
${page.content}
</main>
${contentsList(page.contents ?? [])}
</div>
</body>
</html>
`.markup,
  )
