import tab from '@bomb.sh/tab'
import type { Context } from '../context.ts'
import { print } from '../output.ts'

type Shell = 'bash' | 'zsh' | 'fish'

/**
 * Around the script for bash: it makes constants, which cannot be made twice, and it splits the line with a function
 * of the package bash-completion, which need not be there.
 */
const bash = {
  before: `if ! declare -F __rsvp_complete > /dev/null; then
if ! declare -F _get_comp_words_by_ref > /dev/null; then
_get_comp_words_by_ref() {
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD-1]}
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
}
fi
`,
  after: 'fi\n',
}

/** Prints the script that asks rsvp for completions. */
export async function run(shell: Shell, _options: object, _context: Context): Promise<void> {
  if (shell === 'bash') await print(bash.before)
  tab.setup('rsvp', 'rsvp', shell)
  if (shell === 'bash') await print(bash.after)
}
