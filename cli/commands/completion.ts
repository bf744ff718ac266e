import tab from '@bomb.sh/tab'
import type { Context } from '../context.ts'
import { loggedLines } from '../output/logged-lines.ts'
import { print } from '../output/output.ts'

type Shell = 'bash' | 'zsh' | 'fish'

/**
 * Wraps the script for bash. That declares constants, which fails the second time, and calls a function of the package
 * bash-completion, which may be missing. Defining that function globally would break other programs' completions.
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

/** Prints the script that asks rsvp for completions. */
export async function run(shell: Shell, _options: object, { io }: Context): Promise<void> {
  const script = loggedLines(() => tab.setup('rsvp', 'rsvp', shell))
  await print(shell === 'bash' ? bash.before + script + bash.after : script, io)
}
