// Makes the server the same in every build of a commit, wherever it is built: without the path of the project, which
// Astro writes into it, without a random key, and with its files sorted.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../local-node.mjs'

/** Replaces the path of the project, which Astro uses only to compare names of files. */
const PLACE = '/rsvp'
/** Astro's key for server islands. We have none, so it protects nothing. */
const KEY = Buffer.alloc(32).toString('base64')
/** What follows the path of the project. Without it a project in `/api` would change the address of every call. */
const INSIDE = '(?=/(?:site|db|node_modules|builds)/)'

/** For the manifest, which Astro writes at the very end. @param {string} server its folder */
export function sameManifest(server) {
  const files = readdirSync(server, { recursive: true }).map((name) => join(server, String(name)))
  const islands = files.filter((file) => /server-island-manifest.*\.mjs$/.test(file))
  if (islands.length !== 1) throw new Error(`Astro lists its server islands in ${islands.length} files, not one.`)
  if (islands.some((file) => readFileSync(file, 'utf8').includes('import('))) {
    throw new Error('There are server islands now: their input is encrypted, so they need a random key.')
  }
  const written = files.filter((file) => file.endsWith('.mjs') && rewrite(file))
  if (written.length !== 1) throw new Error(`Astro has written its manifest into ${written.length} files, not one.`)
}

/** The manifest is one line, or the end of one. */
function rewrite(file) {
  const code = readFileSync(file, 'utf8')
  const rewritten = code.replace(/(?<=deserializeManifest\(\s*)\{"rootDir":.*/, (line) => manifestElsewhere(line))
  if (rewritten === code) return false
  writeFileSync(file, rewritten)
  return true
}

/** @param {string} place of the project, which is written as a path or as an address. */
export function elsewhere(code, place = root) {
  const path = new RegExp(escaped(place) + INSIDE, 'g')
  const address = new RegExp(escaped(pathToFileURL(place).href) + INSIDE, 'g')
  return code.replace(address, pathToFileURL(PLACE).href).replace(path, PLACE)
}

/** The same for Astro's manifest, with one key, and its files in one order. @param {string} manifest a line of JSON */
export function manifestElsewhere(manifest, place = root) {
  return elsewhere(manifest, place)
    .replace(/"rootDir":".*?"/, `"rootDir":"${pathToFileURL(PLACE).href}/"`)
    .replace(/"key":".*?"/, `"key":"${KEY}"`)
    .replace(/"assets":(\[.*?\])/, (_, list) => `"assets":${JSON.stringify(JSON.parse(list).sort())}`)
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
