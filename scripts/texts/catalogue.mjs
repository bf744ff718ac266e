const PARTS = ['visitors', 'administration', 'server']

/** The catalogue with an entry for each text, in order; what was translated stays. */
export function follow(catalogue, texts, language) {
  const translated = Object.assign({}, ...PARTS.map((part) => catalogue[part]))
  const followed = {}
  for (const part of PARTS) {
    const own = [...texts].filter(([, text]) => text.part === part).sort(([one], [other]) => (one < other ? -1 : 1))
    followed[part] = Object.fromEntries(
      own.map(([text, { counts }]) => [text, entryOf(translated[text], counts, language)]),
    )
  }
  return followed
}

function entryOf(translated, counts, language) {
  if (counts && (translated === undefined || typeof translated === 'string'))
    return Object.fromEntries(formsOf(language).map((form) => [form, '']))
  return translated ?? ''
}

/** What is wrong with a catalogue, as sentences. */
export function findFaults(catalogue, texts, language) {
  const faults = []
  for (const part of PARTS) {
    const entries = catalogue[part] ?? {}
    for (const [text, entry] of Object.entries(entries)) {
      const known = texts.get(text)
      if (known?.part !== part) faults.push(`unused in "${part}": ${text}`)
      else faults.push(...faultsOf(text, entry, known.counts, language))
    }
    for (const [text, known] of texts) if (known.part === part && !(text in entries)) faults.push(`missing: ${text}`)
  }
  return Array.from(new Set(faults))
}

function faultsOf(text, entry, counts, language) {
  if (!counts) return typeof entry === 'string' ? faultsOfText(text, entry) : [`must be one text: ${text}`]
  const forms = formsOf(language)
  if (typeof entry !== 'object' || Object.keys(entry).sort().join() !== [...forms].sort().join())
    return [`must have the forms ${forms.join(', ')}: ${text}`]
  return forms.flatMap((form) => faultsOfText(text, entry[form], form === 'other' ? [] : ['{count}']))
}

/** `optional`: the singular may say the number in a word. */
function faultsOfText(text, entry, optional = []) {
  if (entry.trim() === '') return [`not translated: ${text}`]
  const [wanted, found] = [placeholdersOf(text), placeholdersOf(entry)]
  const missing = wanted.filter((name) => !found.includes(name) && !optional.includes(name))
  const unknown = found.filter((name) => !wanted.includes(name))
  if (missing.length + unknown.length === 0) return []
  return [`has other placeholders (${[...missing, ...unknown].join(', ')}): ${text}`]
}

function placeholdersOf(text) {
  return text.match(/\{\w+\}/g) ?? []
}

/** The forms that whole numbers take, by CLDR; Spanish, French and Portuguese have one for millions in some tenses. */
function formsOf(language) {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralCategories.filter((form) => form !== 'many' || language === 'ar')
}
