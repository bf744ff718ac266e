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

finish(async () => {
  const differing = []
  for (const [name, write] of documents) {
    const file = join(root, name)
    const text = await write()
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    differing.push(name)
    if (!process.argv.includes('--check')) writeFileSync(file, text)
  }
  if (differing.length === 0) return
  const names = differing.join(', ')
  if (process.argv.includes('--check')) throw new Failure(`Not up to date: ${names}. Run \`npm run docs\`.`)
  console.log(`Written: ${names}.`)
})
