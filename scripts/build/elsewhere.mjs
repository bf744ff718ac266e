// Writes what Astro has built as if it had been built in one place, whatever that was.
import { pathToFileURL } from 'node:url'

/** In the place of the path of the project. Astro uses it as the name of a file only, to find what belongs together. */
const PLACE = '/rsvp'
/** Astro encrypts what its server islands get. We have none, so the key protects nothing. */
const KEY = Buffer.alloc(32).toString('base64')
/** What a path in the server leads to. Without it a project in `/api` would change the address of every call. */
const INSIDE = '(?=/(?:site|db|node_modules|builds)/)'

/** @param {string} root the path of the project, which is written as a path or as an address. */
export function elsewhere(code, root) {
  const path = new RegExp(escaped(root) + INSIDE, 'g')
  const address = new RegExp(escaped(pathToFileURL(root).href) + INSIDE, 'g')
  return code.replace(address, pathToFileURL(PLACE).href).replace(path, PLACE)
}

/** The same for Astro's manifest, with one key, and its files in one order. @param {string} manifest a line of JSON */
export function manifestElsewhere(manifest, root) {
  return elsewhere(manifest, root)
    .replace(/"rootDir":".*?"/, `"rootDir":"${pathToFileURL(PLACE).href}/"`)
    .replace(/"key":".*?"/, `"key":"${KEY}"`)
    .replace(/"assets":(\[.*?\])/, (_, list) => `"assets":${JSON.stringify(JSON.parse(list).sort())}`)
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
