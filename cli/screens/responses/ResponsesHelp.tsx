import { LabelledTexts } from '../../ui/LabelledTexts.tsx'
import { ScrollView } from '../../ui/ScrollView.tsx'

const texts: [string, string][] = [
  ['↑ ↓, k j', 'one response up or down'],
  ['PgUp PgDn', 'one page up or down'],
  ['Home End, g G', 'to the first, to the last'],
  ['Enter', 'read a response; ← → go to its neighbors'],
  ['/', 'search; Esc shows all again'],
  ['s', 'sort by newest, oldest, name, status'],
  ['Space', 'select a response, or not'],
  ['a', 'select all that the search has found, or none'],
  ['d, Delete', 'delete what is selected, or the response at the cursor; it asks first'],
  ['u', 'bring back what was deleted last'],
  ['r', 'read everything again'],
  ['Ctrl+Z', 'back to the shell; fg comes here again'],
  ['q, Esc', 'quit'],
  ['In a search', '← → Home End Ctrl+A Ctrl+E move, Ctrl+W removes a word, Ctrl+U all before the cursor'],
]

/** What each key does. */
export function ResponsesHelp({ height }: { height: number }) {
  return (
    <ScrollView height={height}>
      <LabelledTexts texts={texts} />
    </ScrollView>
  )
}
