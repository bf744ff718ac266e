// The browser runs this before the first island of a page (astro.config.mjs): what it throws keeps all of them from
// starting. The first island may stand before the root element, and be reached before that has arrived.
import { fetchIslands } from './fetch-islands.ts'
import { startApp } from './start.ts'

if (document.readyState === 'loading') {
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
}
startApp(document)
fetchIslands(document)
