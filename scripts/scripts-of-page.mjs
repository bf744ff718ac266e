// Finds what a page, and what a script, loads by itself.
import ts from 'typescript'

/** The addresses of all scripts that a page loads: tags, preloads, islands, and imports of inline scripts. */
export function scriptsOf(html) {
  const islands = [...html.matchAll(/\b(?:component|renderer|before-hydration)-url="([^"]+)"/g)].map(
    (match) => match[1],
  )
  const preloads = [...html.matchAll(/<link\b[^>]*\brel="?modulepreload\b[^>]*>/g)].map((tag) =>
    attribute(tag[0], 'href'),
  )
  const scripts = [...html.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g)].flatMap(([, tag, code]) => {
    const source = attribute(tag, 'src')
    return source ? [source] : staticImports(code)
  })
  return [...islands, ...preloads, ...scripts].filter(Boolean)
}

/** The modules that load together with this code, without dynamic imports. */
export function staticImports(code) {
  const { statements } = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest)
  return statements
    .filter((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    .map((statement) => statement.moduleSpecifier?.text)
    .filter((path) => path !== undefined)
}

function attribute(tag, name) {
  return tag.match(new RegExp(`\\s${name}="?([^"\\s>]+)`))?.[1]
}
