// The texts of a page, for tests. It runs in the browser, so it uses nothing outside its function.

/**
 * What people read or hear of a page, piece by piece, each with its declared language.
 * @param {Document} document
 * @returns {{ text: string, lang: string }[]}
 */
export function pageTexts(document) {
  const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'data-label']
  const unsaid = 'script, style, template, code, textarea, head noscript'
  const found = [...document.querySelectorAll('*')]
    .filter((element) => element.closest(unsaid) === null)
    .flatMap((element) => {
      const lang = element.closest('[lang]')?.getAttribute('lang') ?? ''
      const children = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.nodeValue)
      const texts = [...children, ...attributes.map((name) => element.getAttribute(name))]
      if (element.matches('meta[name=description]')) texts.push(element.getAttribute('content'))
      return texts.map((text) => ({ text: (text ?? '').trim(), lang }))
    })
  return found.filter(({ text }) => text !== '')
}

/** Names and terms that are not translated. */
const names =
  /https?:\S+|[\w.-]*@[\w.-]+|127\.0\.0\.1\S*|\.ics\b|\bCtrl\+C\b|\b(?:Apple|CSV|Google|iCal|iPhone|JavaScript|Outlook|PDF|QR|SVG|UTC|WhatsApp)\b/g

/**
 * The texts of a Korean page that are not Korean and are not marked so: those with a word in Latin letters.
 * @param {{ text: string, lang: string }[]} texts
 * @param {RegExp} typed what people have typed, e.g. names
 */
export function findUntranslated(texts, typed) {
  const isForeign = (text) => /[A-Za-z]{2}/.test(text.replace(names, '').replace(typed, ''))
  return [...new Set(texts.filter(({ text, lang }) => lang === 'ko' && isForeign(text)).map(({ text }) => text))]
}
