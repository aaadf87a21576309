import { type Html, html, page } from './html.ts'

/*
 * The frame of the pages that links in emails open. It looks like the dashboard (docs/design.md) and works without
 * scripts and without other files, so a link works in every browser and in an installation without the built dashboard.
 */

/** The tokens of services/dashboard/src/styles.css that these pages use. */
const style = html`<style>
  :root { color-scheme: light dark; --page: light-dark(#fbfbfa, #101113); --surface: light-dark(#ffffff, #17181b); --hover: light-dark(#ecece8, #212327); --line: light-dark(#e7e6e2, #292b2f); --edge: light-dark(#8b8a84, #6d7077); --ink: light-dark(#1b1b19, #ececea); --muted: light-dark(#5c5b56, #a9abb0); --accent: light-dark(#1f57c8, #93b7ff); --solid: light-dark(#1b1b19, #ececea); --solid-hover: light-dark(#34342f, #ffffff); --on-solid: light-dark(#ffffff, #141416); --bad: light-dark(#b3261e, #ff9f96); --bad-tint: light-dark(#fcecea, #321716); background: var(--page); }
  * { box-sizing: border-box; }
  body { margin: 0; color: var(--ink); font: 14px/22px "Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; -webkit-font-smoothing: antialiased; }
  main { width: 100%; max-width: 24rem; margin: 0 auto; padding: 12vh 1rem 3rem; }
  .sign { display: block; width: 40px; height: 40px; }
  h1 { margin: 24px 0 4px; font-size: 26px; line-height: 34px; font-weight: 600; letter-spacing: -0.02em; text-wrap: balance; }
  p { margin: 0 0 8px; color: var(--muted); }
  b { color: var(--ink); font-weight: 500; }
  a { color: var(--ink); font-weight: 500; text-underline-offset: 3px; }
  form { display: flex; flex-direction: column; margin: 20px 0 0; }
  label { margin: 0 0 6px; font-size: 13px; line-height: 20px; font-weight: 500; }
  input + label, .soft + label { margin-top: 16px; }
  input { width: 100%; height: 36px; padding: 0 12px; font: inherit; color: inherit; background: var(--surface); border: 1px solid color-mix(in srgb, var(--edge) 60%, transparent); border-radius: 6px; box-shadow: 0 1px 2px light-dark(rgb(0 0 0 / 0.05), rgb(0 0 0 / 0.4)); }
  input:hover { border-color: var(--edge); }
  input[aria-invalid] { border-color: var(--bad); }
  .soft { margin: 6px 0 0; font-size: 13px; line-height: 20px; color: var(--muted); }
  button, .button { display: inline-flex; align-items: center; justify-content: center; height: 36px; padding: 0 14px; font: inherit; font-weight: 500; text-decoration: none; color: var(--on-solid); background: var(--solid); border: 0; border-radius: 6px; cursor: pointer; }
  form > button { margin-top: 20px; }
  .button { display: flex; margin-top: 20px; }
  button:hover, .button:hover { background: var(--solid-hover); }
  button.plain { height: 32px; margin: 0; padding: 0 10px; font-size: 13px; color: var(--ink); background: var(--surface); border: 1px solid var(--line); }
  button.plain:hover { background: var(--hover); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .alert { margin: 12px 0; padding: 8px 12px; font-size: 13px; line-height: 20px; color: var(--bad); background: var(--bad-tint); border-radius: 6px; }
  .row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 12px; margin: 16px 0; padding: 8px 8px 8px 12px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
  .row .soft, .row form { margin: 0; }
  @media (max-width: 40rem) { input { height: 40px; font-size: 16px; } button, .button { height: 40px; } }
</style>`

const sign = html`<svg class="sign" aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#d8441b"/><path d="M8 21.5V10.8h9.2a5 5 0 0 1 0 10h-4.6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><circle cx="23.8" cy="22" r="1.9" fill="#fff"/></svg>`

/** Returns a whole page: one column with the heading and a form or a next step. */
export const accountLayout = (title: string, content: Html): Html =>
  page(
    title,
    style,
    html`<main>
${sign}
${content}
</main>`,
  )
