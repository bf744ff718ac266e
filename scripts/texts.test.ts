import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findFaults, findTexts, follow } from './texts.mjs'

function tree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'rsvp-texts-'))
  for (const [name, content] of Object.entries({ 'site/texts/said.json': '{}', 'db/a.ts': '', ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

describe('the texts of the source', () => {
  it('are found wherever they stand, each for those who need it', () => {
    const { texts, faults } = findTexts(
      tree({
        'site/islands/A.tsx': `<p>{t('Both')} {t("It's {name}", { name })} {plural(count, '{count} one', '{count} many')}</p>`,
        'site/islands/admin/B.tsx': `<Sentence text="Ask {who}." who={x} /> {t('Both')} {t('Clerk')}`,
        'site/pages/c.astro': `<h1>{t(\n  'Page',\n)}</h1>{t('Clerk')}`,
        'site/islands/A.test.tsx': `t('Only in a test')`,
      }),
    )
    expect(faults).toEqual([])
    expect(Object.fromEntries(texts)).toEqual({
      Both: { part: 'visitors', counts: false },
      "It's {name}": { part: 'visitors', counts: false },
      '{count} many': { part: 'visitors', counts: true },
      'Ask {who}.': { part: 'administration', counts: false },
      Clerk: { part: 'administration', counts: false },
      Page: { part: 'server', counts: false },
    })
  })

  it('are not said before anyone asks, and what db is said to say it says', () => {
    const { faults } = findTexts(
      tree({
        'site/lib/early.ts': `const label = t('Early')\nconst late = () => t('Late')`,
        'site/texts/said.json': '{"visitors":["Wait {time}, then go.","Never said."]}',
        'db/a.ts': `throw new Error(\`Wait \${time(1)}, then go.\`)`,
      }),
    )
    expect(faults).toEqual([
      expect.stringContaining('site/lib/early.ts: t() at the top level'),
      'site/texts/said.json: neither db nor the site says: Never said.',
    ])
  })
})

describe('a catalogue', () => {
  const texts = new Map([
    ['Hello {name}', { part: 'visitors', counts: false }],
    ['{count} people', { part: 'server', counts: true }],
  ])
  const complete = {
    visitors: { 'Hello {name}': 'Hola, {name}' },
    administration: {},
    server: { '{count} people': { one: 'una persona', other: '{count} personas' } },
  }

  it('is right where every text has its translation', () => {
    expect(findFaults(complete, texts, 'es')).toEqual([])
    expect(follow(complete, texts, 'es')).toEqual(complete)
  })

  it.each([
    ['missing: Hello {name}', { ...complete, visitors: {} }],
    ['not translated: Hello {name}', { ...complete, visitors: { 'Hello {name}': ' ' } }],
    [
      'has other placeholders ({name}, {nombre}): Hello {name}',
      { ...complete, visitors: { 'Hello {name}': 'Hola, {nombre}' } },
    ],
    ['unused in "administration": Old', { ...complete, administration: { Old: 'Viejo' } }],
    [
      'must have the forms one, other: {count} people',
      { ...complete, server: { '{count} people': '{count} personas' } },
    ],
    ['not translated: {count} people', { ...complete, server: { '{count} people': { one: '', other: '{count} p.' } } }],
  ])('is wrong: %s', (fault, catalogue) => {
    expect(findFaults(catalogue, texts, 'es')).toEqual([fault])
  })

  it('follows the source: what is new waits for its translation, what is unused goes, what was moved stays', () => {
    const before = { visitors: { Old: 'Viejo' }, administration: { 'Hello {name}': 'Hola, {name}' }, server: {} }
    expect(follow(before, texts, 'es')).toEqual({
      visitors: { 'Hello {name}': 'Hola, {name}' },
      administration: {},
      server: { '{count} people': { one: '', other: '' } },
    })
  })
})
