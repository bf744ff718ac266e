import { describe, expect, it } from 'vitest'
import { scriptsOf, staticImports } from './share-bundle.mjs'

describe('scriptsOf', () => {
  it('names what islands, preloads, script tags and inline modules load', () => {
    const html = `
      <link rel="stylesheet" href="/assets/page.css"><link rel="modulepreload" href="/assets/early.js">
      <script type="module" src="/assets/menu.js"></script>
      <script type="module">import "/assets/inline.js";import("/assets/later.js")</script>
      <astro-island component-url="/assets/Form.js" renderer-url="/assets/client.js" client="load"></astro-island>`
    expect(scriptsOf(html).sort()).toEqual([
      '/assets/Form.js',
      '/assets/client.js',
      '/assets/early.js',
      '/assets/inline.js',
      '/assets/menu.js',
    ])
  })

  it('finds nothing in a page without scripts', () => {
    expect(scriptsOf('<!doctype html><p>src="/no.js"</p>')).toEqual([])
  })
})

describe('staticImports', () => {
  it('follows imports and re-exports, and leaves out what is imported on demand', () => {
    const code = `import{a}from"./a.js";import"./b.js";export*from"./c.js";export{d};const later=()=>import("./toast.js")`
    expect(staticImports(code)).toEqual(['./a.js', './b.js', './c.js'])
  })
})
