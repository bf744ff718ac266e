// Finds controls by their English names in pages of other languages, so that a state is prepared in the same way in each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/local-node.mjs'

/** @returns {(page: import('@playwright/test').Page) => import('@playwright/test').Page} */
export function speaking(language) {
  if (language === 'en') return (page) => page
  const parts = JSON.parse(readFileSync(join(root, 'site/texts', `${language}.json`), 'utf8'))
  const catalogue = new Map(Object.values(parts).flatMap((part) => Object.entries(part)))
  return wrap

  /** Pages and locators have the same three methods. */
  function wrap(place) {
    return new Proxy(place, {
      get(target, name) {
        if (name === 'getByRole')
          return (role, options) => wrap(target.getByRole(role, { ...options, name: translate(options?.name) }))
        if (name === 'getByText' || name === 'getByLabel')
          return (text, options) => wrap(target[name](translate(text), options))
        const value = target[name]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  function translate(text) {
    if (text instanceof RegExp) return anyOf([...catalogue].filter(([key]) => text.test(key)))
    const exact = catalogue.get(text)
    if (exact !== undefined) return exact
    return anyOf([...catalogue].filter(([key]) => key.includes('{') && patternOf(key).test(text)))
  }
}

/** What matches any of these translations, whatever is filled in. */
function anyOf(entries) {
  const forms = entries.flatMap(([, forms]) => (typeof forms === 'string' ? [forms] : Object.values(forms)))
  return forms.length === 0 ? undefined : new RegExp(forms.map((form) => patternOf(form).source).join('|'))
}

function patternOf(text) {
  const fixed = text.split(/\{\w+\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${fixed.join('.+')}$`)
}
