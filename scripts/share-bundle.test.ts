import { expect, it } from 'vitest'
import { scriptsIn } from './share-bundle.mjs'

it('finds what islands, preloads, script tags and inline modules of a page load', () => {
  const html = `
    <link rel="stylesheet" href="/assets/page.css"><link rel="modulepreload" href="/assets/early.js">
    <script type="module" src="/assets/menu.js"></script>
    <script type="module">import "/assets/inline.js";import("/assets/later.js")</script>
    <astro-island component-url="/assets/Form.js" renderer-url="/assets/client.js" client="load"></astro-island>
    <img src="/no.png"><p>"/no.js"</p>`
  expect(scriptsIn(html)).toEqual(['early', 'menu', 'inline', 'Form', 'client'].map((name) => `/assets/${name}.js`))
})

it('follows imports and re-exports, and leaves out what is imported on demand', () => {
  const code = `import{a}from"./a.js";import"./b.js";export*from"./c.js";export{d};const later=()=>import("./toast.js")`
  expect(scriptsIn(code)).toEqual(['./a.js', './b.js', './c.js'])
})
