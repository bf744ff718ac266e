import tab from '@bomb.sh/tab'
import completions from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { listSites } from '#db/config/places.ts'
import { featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { weekNames } from '#db/schedule/schema.ts'
import { weekdayNames } from '#db/schedule/texts.ts'
import { publicNames } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { Context } from '../context.ts'
import type { Io } from '../io.ts'
import { print } from '../output/output.ts'

type Shell = 'bash' | 'zsh' | 'fish'

/**
 * Wraps the script for bash, which declares constants, so that loading it twice fails, and calls a function of the
 * package bash-completion, which may be missing. Defining that function globally would break other programs'
 * completions.
 */
const bash = {
  before: `if ! declare -F __rsvp_complete > /dev/null; then
__rsvp_words() {
    if declare -F _get_comp_words_by_ref > /dev/null; then
        _get_comp_words_by_ref "$@"
    else
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD-1]}
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
    fi
}
`,
  after: `eval "$(declare -f __rsvp_complete | sed s/_get_comp_words_by_ref/__rsvp_words/)"
fi
`,
}

type Candidate = [word: string, meaning: string]

/** Candidates for options without fixed choices. */
const optionWords: Record<string, () => Candidate[]> = {
  week: () => words(...weekNames),
  weekday: () => words(...weekdayNames.map((name) => name.toLowerCase())),
  'time-zone': () => words(...Intl.supportedValuesOf('timeZone')),
  site: () => words(...listSites()),
  closes: () => words('none', '1h', '2h', '1d'),
}

/** Prints the script that asks rsvp for completions. */
export async function completion(shell: Shell, _options: object, { io }: Context): Promise<void> {
  const script = loggedLines(() => tab.setup('rsvp', 'rsvp', shell))
  await print(shell === 'bash' ? bash.before + script + bash.after : script, io)
}

/** Prints completions for a shell, e.g. for `rsvp complete -- list --st`, where the last word is being typed. */
export async function complete(program: Command, line: string[], io: Io): Promise<void> {
  const root = completions(program)
  root.commands.get('features')?.argument('changes', adding(featureCandidates(argumentsBefore(line))), true)
  root.commands.get('settings')?.argument('changes', adding(settingCandidates(line.at(-1) ?? '')), true)
  for (const command of root.commands.values()) {
    for (const [option, candidates] of Object.entries(optionWords)) {
      const known = command.options.get(option)
      if (known !== undefined) command.option(option, known.description, adding(candidates()))
    }
  }
  await print(
    loggedLines(() => root.parse(line)),
    io,
  )
}

/** Captures what the package prints with console.log, which is its only output. */
function loggedLines(work: () => void): string {
  let lines = ''
  // biome-ignore-start lint/suspicious/noConsole: put aside for a moment, and back in its place after it.
  const { log } = console
  console.log = (line: string) => {
    lines += `${line}\n`
  }
  try {
    work()
  } finally {
    console.log = log
  }
  // biome-ignore-end lint/suspicious/noConsole: put aside for a moment, and back in its place after it.
  return lines
}

function adding(candidates: Candidate[]) {
  return (say: (word: string, meaning: string) => void) => {
    for (const candidate of candidates) say(...candidate)
  }
}

/** Behind an =, shells complete the value alone, without the name. */
function settingCandidates(current: string): Candidate[] {
  if (current.startsWith('publicNames=')) return publicNames.map((value) => [value, publicNamesTexts[value].label])
  if (current.startsWith('retentionDays=')) return words('off', '30', '90', '365')
  return [
    ['publicNames=', 'what visitors see of who has responded'],
    ['retentionDays=', 'after how many days a response is made anonymous'],
    ['publicUrl=', 'the address people use'],
    ['churchName=', 'what the church is called'],
    ['churchAccent=', 'the color of buttons and links'],
    ['churchPicture=', 'the file of a picture'],
    ['churchPictureAlt=', 'what the picture shows'],
    ['churchPictureFocus=', 'what no screen cuts off, e.g. 50,25'],
    ['eventLanguage=', 'the language of the original texts of the event'],
  ]
}

function featureCandidates(typed: string[]): Candidate[] {
  if (typed.length % 2 === 1) return [...words('on'), ...words('off')]
  return featureNames.filter((name) => !typed.includes(name)).map((name) => [name, featureTexts[name].label])
}

function words(...of: string[]): Candidate[] {
  return of.map((word) => [word, ''])
}

/** What is typed after the command and before the word that is being typed, without options. */
function argumentsBefore(line: string[]): string[] {
  const words = line
    .slice(0, -1)
    .filter((word, at) => !word.startsWith('-') && !/^--(db|site)$/.test(line[at - 1] ?? ''))
  return words.slice(1)
}
