// Writes the documents that are generated from the program.
//
// Usage: npm run docs. With `--check` it changes nothing and fails if a document is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { httpPage } from './documents/http.ts'
import { envExample, settingsPage } from './documents/settings.ts'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'

const documents = [
  ['.env.example', envExample],
  ['docs/settings.md', settingsPage],
  ['docs/http.md', httpPage],
]

finish(() => {
  for (const [name, write] of documents) {
    const file = join(root, name)
    const text = write()
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    if (process.argv.includes('--check')) throw new Failure(`${name} is not up to date. Run \`npm run docs\`.`)
    writeFileSync(file, text)
    console.log(`Written: ${name}.`)
  }
})
