// Finds controls by their English names in pages of other languages, so that a state is prepared in the same way in each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { said } from '#site/texts/said.ts'
import { speak } from '#site/texts/texts.ts'
import { root } from '../local-node.mjs'

/** @param {import('@playwright/test').Page} page */
export function speaking(page, language) {
  if (language === 'en') return page
  const parts = JSON.parse(readFileSync(join(root, 'site/texts', `${language}.json`), 'utf8'))
  const catalogue = Object.assign({}, ...Object.values(parts))
  return wrap(page)

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
    // Each time: pages of several languages are open at once.
    speak(() => ({ language, catalogue }))
    return text && said(text)
  }
}
