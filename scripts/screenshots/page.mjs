// Writes the page that shows all pictures: those that changed come first, with what they were before.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const titles = { failed: 'Not taken', changed: 'Changed', new: 'New', same: 'The same' }

/**
 * @param {string} folder
 * @param {{ name: string, kind: string, pixels?: number, height?: number, reason?: string }[]} pictures
 */
export function writePage(folder, pictures) {
  const sections = Object.keys(titles).map((kind) =>
    section(
      kind,
      pictures.filter((picture) => picture.kind === kind),
    ),
  )
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screenshots</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif }
  body { margin: 1rem }
  section { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: start }
  h2, .changed { flex-basis: 100% }
  figure { margin: 0 }
  .pictures { display: flex; gap: .75rem; align-items: start; overflow-x: auto }
  img { display: block; max-width: 100%; max-height: 42rem; border: 1px solid gray }
  .pictures img { max-width: 32% }
  .small img { max-width: 18rem; max-height: 24rem }
</style>
${sections.join('\n')}
</html>
`,
  )
}

function section(kind, pictures) {
  if (pictures.length === 0) return ''
  const figures = pictures.map((picture) => figure(kind, picture)).join('\n')
  return `<h2>${titles[kind]}: ${pictures.length}</h2>\n<section class="${kind === 'changed' ? '' : 'small'}">\n${figures}\n</section>`
}

function figure(kind, { name, pixels, height, reason }) {
  const remarks = { changed: `${pixels} pixels`, failed: escaped(reason ?? '') }
  const caption = [name, remarks[kind], height && `page ${height} px high`].filter(Boolean).join(' · ')
  const shown = { changed: ['last', 'now', 'difference'], failed: [] }[kind] ?? ['now']
  const images = shown.map((set) => image(`${set}/${name}.png`)).join('')
  return `<figure class="${kind}"><figcaption>${caption}</figcaption><div class="pictures">${images}</div></figure>`
}

function image(path) {
  const address = encodeURI(path)
  return `<a href="${address}"><img loading="lazy" src="${address}" alt=""></a>`
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
