import tab from '@bomb.sh/tab'
import type { Context } from '../context.ts'

/** Prints the script that asks rsvp for completions. */
export async function run(shell: 'bash' | 'zsh' | 'fish', _options: object, _context: Context): Promise<void> {
  tab.setup('rsvp', 'rsvp', shell)
}
