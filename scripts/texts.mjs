// Keeps the catalogues of site/texts in step with the texts in the source: `t('…')`, `plural(count, '…', '…')`, and those
// of db and the server that site/texts/said.json lists.
//
// Usage: npm run texts. It adds missing entries without a translation, and removes unused ones. With `--check` it changes
// nothing and fails where an entry is missing, unused, empty, in the wrong part, or has other placeholders than its text.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'
import { findFaults, follow } from './texts/catalogue.mjs'
import { findTexts } from './texts/find-texts.mjs'

const LANGUAGES = ['es', 'fr', 'pt', 'de', 'ko', 'ar']

/** Of each catalogue: what is wrong is often wrong in all of it. */
const SHOWN = 10

finish(() => {
  const { texts, faults } = findTexts(root)
  for (const language of LANGUAGES) {
    const file = join(root, 'site/texts', `${language}.json`)
    const catalogue = JSON.parse(readFileSync(file, 'utf8'))
    if (!process.argv.includes('--check')) {
      const followed = follow(catalogue, texts, language)
      writeFileSync(file, `${JSON.stringify(followed, null, 2)}\n`)
    }
    const found = findFaults(JSON.parse(readFileSync(file, 'utf8')), texts, language)
    faults.push(...found.slice(0, SHOWN).map((fault) => `site/texts/${language}.json: ${fault}`))
    if (found.length > SHOWN) faults.push(`site/texts/${language}.json: and ${found.length - SHOWN} more`)
  }
  if (faults.length > 0) throw new Failure(faults.join('\n'))
})
