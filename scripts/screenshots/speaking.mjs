// Finds controls by their English names in pages of other languages, so that a state is prepared in the same way in each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local-node.mjs'

/** @param {import('@playwright/test').Page} page */
export function speaking(page, language) {
  if (language === 'en') return page
  const parts = JSON.parse(readFileSync(join(root, 'site/texts', `${language}.json`), 'utf8'))
  const catalogue = new Map(Object.values(parts).flatMap((part) => Object.entries(part)))
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
    if (text instanceof RegExp) return anyOf([...catalogue].filter(([key]) => text.test(key)))
    const exact = catalogue.get(text)
    if (exact !== undefined) return exact
    const [found] = [...catalogue]
      .filter(([key, form]) => key.includes('{') && typeof form === 'string' && patternOf(key).test(text))
      // The one with the longest fixed text, as the site itself chooses.
      .sort(([one], [other]) => fixedOf(other).length - fixedOf(one).length)
    return found && filledIn(found, text)
  }
}

/** Matches any of these translations with any values. */
function anyOf(entries) {
  const forms = entries.flatMap(([, forms]) => (typeof forms === 'string' ? [forms] : Object.values(forms)))
  return forms.length === 0 ? undefined : new RegExp(forms.map((form) => patternOf(form).source).join('|'))
}

/** The translation with the values of the English text. */
function filledIn([key, form], text) {
  const names = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const [, ...values] = new RegExp(patternOf(key).source.replaceAll('.+', '(.+)')).exec(text) ?? []
  const parts = form.split(/\{(\w+)\}/)
  const filled = parts.map((part, place) => (place % 2 === 0 ? escaped(part) : anyWay(values[names.indexOf(part)])))
  return new RegExp(`^${filled.join('')}$`)
}

/** With the marks of a value's direction, or without. */
function anyWay(value = '') {
  return `\u2068?${escaped(value)}\u2069?`
}

function fixedOf(text) {
  return text.replace(/\{\w+\}/g, '')
}

function patternOf(text) {
  return new RegExp(
    `^${text
      .split(/\{\w+\}/)
      .map(escaped)
      .join('.+')}$`,
  )
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
