// The parts of a page that need a script: copy buttons, the remembered language, the list of results while typing, and the
// reader's key in the programs. Everything else works without it.

/**
 * @typedef {{ url: string, title: string, place: string, excerpt: string }} Result
 * @typedef {{ csrf_token: string, workspace: { id: string, name: string } }} Session
 */

/**
 * Makes an element.
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** A browser without storage, or with storage switched off, keeps a choice as long as the page. */
const stored = {
  /** @param {() => Storage} storage @param {string} name */
  read: (storage, name) => {
    try {
      return storage().getItem(name)
    } catch {
      return null
    }
  },
  /** @param {() => Storage} storage @param {string} name @param {string | null} value */
  write: (storage, name, value) => {
    try {
      if (value === null) storage().removeItem(name)
      else storage().setItem(name, value)
    } catch {
      // See above.
    }
  },
}

const addCopyButtons = () => {
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      const shown = [...block.querySelectorAll('pre')].find((one) => one.getClientRects().length > 0)
      try {
        await navigator.clipboard.writeText(shown?.textContent ?? '')
        button.textContent = 'Copied'
      } catch {
        // Without TLS a browser has no clipboard: the text is selected, so that it can be copied by keyboard.
        if (shown) getSelection()?.selectAllChildren(shown)
        button.textContent = 'Selected'
      }
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2_000)
    })
    block.append(button)
  }
}

const useLanguage = () => {
  const root = document.documentElement
  /** @type {NodeListOf<HTMLInputElement>} */
  const choices = document.querySelectorAll('.tabbed input')
  /** @param {string} language */
  const choose = (language) => {
    root.dataset['language'] = language
    for (const choice of choices) choice.checked = choice.value === language
  }
  const chosen = root.dataset['language']
  if (chosen !== undefined) choose(chosen)
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      const before = choice.getBoundingClientRect().top
      choose(choice.value)
      stored.write(() => localStorage, 'postrider.language', choice.value)
      // The programs above may have another height now; what is being read stays where it is.
      scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' })
    })
  }
}

const useSearch = () => {
  const form = document.querySelector('[data-search]')
  const input = form?.querySelector('input')
  if (!form || !input) return
  const list = element('ul', { id: 'results', role: 'listbox', 'aria-label': 'Results', hidden: '' })
  form.after(list)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'results',
    'aria-autocomplete': 'list',
  }))
    input.setAttribute(name, value)
  /** @type {Map<string, Result[]>} */
  const known = new Map()
  /** @type {Result[]} */
  let results = []
  let selected = -1
  let wanted = ''

  /** @param {boolean} isOpen */
  const open = (isOpen) => {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) select(-1)
  }
  /** @param {number} index */
  const select = (index) => {
    selected = index
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === index))
      if (at === index) option.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    }
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `result-${index}`)
  }
  const show = () => {
    list.replaceChildren(
      ...results.map(({ url, title, place, excerpt }, index) => {
        const option = element(
          'li',
          { id: `result-${index}`, role: 'option', 'aria-selected': 'false' },
          element('strong', {}, title),
          element('span', {}, excerpt === '' ? place : `${place} · ${excerpt}`),
        )
        // The field keeps the focus.
        option.addEventListener('mousedown', (event) => event.preventDefault())
        option.addEventListener('click', () => go(url))
        return option
      }),
    )
    if (results.length === 0) {
      list.append(
        element('li', { class: 'none', role: 'option', 'aria-disabled': 'true' }, 'Nothing has all these words.'),
      )
    }
    open(true)
    select(results.length > 0 ? 0 : -1)
  }
  /** @param {string} url */
  const go = (url) => {
    open(false)
    input.blur()
    location.assign(url)
  }
  const find = async () => {
    const query = input.value.trim()
    wanted = query
    if (query === '') {
      open(false)
      return
    }
    const found = known.get(query) ?? (await ask(query))
    if (found === null || wanted !== query) return
    known.set(query, found)
    results = found
    show()
  }
  /** @param {string} query @returns {Promise<Result[] | null>} */
  const ask = async (query) => {
    try {
      const response = await fetch(`/docs/search?${new URLSearchParams({ q: query })}`, {
        headers: { Accept: 'application/json' },
      })
      return response.ok ? (await response.json()).results : null
    } catch {
      // Enter still opens the page of results.
      return null
    }
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(find, 60)
  })
  input.addEventListener('focus', () => {
    if (input.value.trim() !== '') void find()
  })
  input.addEventListener('blur', () => open(false))
  input.addEventListener('keydown', (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined && !list.hidden && results.length > 0) {
      event.preventDefault()
      select((selected + move + results.length) % results.length)
    } else if (event.key === 'Escape') {
      if (list.hidden) input.blur()
      open(false)
    } else if (event.key === 'Enter' && !list.hidden && wanted === input.value.trim()) {
      const chosen = results[selected]
      if (!chosen) return
      event.preventDefault()
      go(chosen.url)
    }
  })
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, dialog[open]') !== null
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping
    const isPalette = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
    if (!isSlash && !isPalette) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/**
 * The key of the reader in the programs. Only a test key is accepted: its mail never leaves the service, so a program that is
 * tried out does no harm. It stays in this tab, not in the browser's permanent storage, and ends with the tab.
 */
const useKey = () => {
  const opener = document.querySelector('[data-use-key]')
  if (!(opener instanceof HTMLElement)) return
  const storageName = 'postrider.docs.key'
  const form = /^pr_test_[0-9A-Za-z]{20,}$/
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll('[data-key]')
  const originals = [...places].map((place) => place.textContent ?? '')

  /** @param {string | null} key */
  const show = (key) => {
    for (const [index, place] of [...places].entries()) place.textContent = key ?? originals[index] ?? ''
    opener.textContent = key === null ? 'Use a test key' : `pr_test_…${key.slice(-4)}`
    opener.classList.toggle('active', key !== null)
    opener.setAttribute(
      'aria-label',
      key === null ? 'Use a test key' : `Test key ending in ${key.slice(-4)}: change or remove`,
    )
  }
  const current = () => {
    const key = stored.read(() => sessionStorage, storageName)
    return key !== null && form.test(key) ? key : null
  }
  /** @param {string | null} key */
  const use = (key) => {
    stored.write(() => sessionStorage, storageName, key)
    show(key)
    dialog.close()
  }

  const problem = element('p', { class: 'problem', role: 'alert' })
  const field = element('input', {
    id: 'own-key',
    name: 'key',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'pr_test_…',
    'aria-describedby': 'key-problem',
  })
  problem.id = 'key-problem'
  const create = element('button', { type: 'button', class: 'solid whole' }, 'Create a test key')
  const account = element('p')
  const forget = element('button', { type: 'button', class: 'plain' }, 'Remove the key')
  const cancel = element('button', { type: 'button', class: 'plain' }, 'Cancel')
  const paste = /** @type {HTMLFormElement} */ (element('form', { method: 'dialog' }))
  paste.append(
    element('label', { for: 'own-key' }, 'A test key that you have'),
    field,
    problem,
    element('div', { class: 'buttons' }, cancel, forget, element('button', { class: 'plain' }, 'Use this key')),
  )
  const dialog = /** @type {HTMLDialogElement} */ (
    element(
      'dialog',
      { 'aria-labelledby': 'key-title' },
      element('h2', { id: 'key-title' }, 'Use a test key'),
      element(
        'p',
        {},
        'The programs on these pages then have the key, so they run as they are. It stays in this tab and is gone when you close the tab. Mail of a test key never leaves the service; live keys are not accepted here.',
      ),
      account,
      create,
      paste,
    )
  )
  document.body.append(dialog)

  /** @type {Session | null} */
  let session = null
  const readSession = async () => {
    const response = await fetch('/api/v1/auth/session', { headers: { Accept: 'application/json' } }).catch(() => null)
    session = response?.ok ? await response.json() : null
    create.hidden = session === null
    account.replaceChildren(
      ...(session === null
        ? ['You are not logged in. ', element('a', { href: '/login' }, 'Log in'), ' to create one here, or paste one.']
        : [
            `The new key belongs to ${session.workspace.name}, sends and reads test mail, writes templates, and expires in 24 hours.`,
          ]),
    )
  }
  create.addEventListener('click', async () => {
    if (session === null) return
    problem.textContent = ''
    create.setAttribute('disabled', '')
    try {
      const response = await fetch('/api/v1/api-keys', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-CSRF-Token': session.csrf_token,
          'X-Workspace': session.workspace.id,
        },
        body: JSON.stringify({
          name: 'Documentation',
          mode: 'test',
          expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        }),
      })
      const answer = await response.json()
      if (response.ok) use(answer.key)
      else problem.textContent = `${answer.detail} Request ${answer.request_id}.`
    } catch {
      problem.textContent = 'The service did not respond. Try again.'
    } finally {
      create.removeAttribute('disabled')
    }
  })
  paste.addEventListener('submit', (event) => {
    event.preventDefault()
    const key = /** @type {HTMLInputElement} */ (field).value.trim()
    if (form.test(key)) use(key)
    else {
      problem.textContent = key.startsWith('pr_live_')
        ? 'This is a live key. Use a test key, whose mail never leaves the service.'
        : 'A test key begins with pr_test_. Paste the whole key.'
    }
  })
  forget.addEventListener('click', () => use(null))
  cancel.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    paste.reset()
    problem.textContent = ''
  })
  opener.addEventListener('click', () => {
    forget.hidden = current() === null
    create.hidden = true
    account.textContent = ''
    dialog.showModal()
    void readSession()
  })
  opener.hidden = false
  show(current())
}

/** Marks the part of the page that is being read in the navigation. */
const followReading = () => {
  /** @type {Map<string, Element>} */
  const links = new Map()
  for (const link of document.querySelectorAll('.contents a, .navigation li ul a')) {
    links.set((link.getAttribute('href') ?? '').slice(1), link)
  }
  const headings = [...document.querySelectorAll('main :is(h2, h3)[id]')].filter(({ id }) => links.has(id))
  if (headings.length === 0) return
  let isWaiting = false
  const mark = () => {
    isWaiting = false
    const above = headings.filter((one) => one.getBoundingClientRect().top < 120)
    const current = (above.at(-1) ?? headings[0])?.id
    for (const [id, link] of links) link.classList.toggle('here', id === current)
  }
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(mark)
    },
    { passive: true },
  )
  mark()
}

addCopyButtons()
useLanguage()
useSearch()
useKey()
followReading()

// A link within the page closes the navigation of a phone.
const menu = document.getElementById('menu')
const current = menu?.querySelector('[aria-current]')
// The navigation is longer than the window: the entry of this page is shown.
if (menu && current instanceof HTMLElement && current.offsetTop > menu.clientHeight / 2) {
  menu.scrollTop = current.offsetTop - menu.clientHeight / 3
}
menu?.addEventListener('click', (event) => {
  const isLink = event.target instanceof Element && event.target.closest('a') !== null
  if (isLink && menu.matches(':popover-open')) menu.hidePopover()
})
