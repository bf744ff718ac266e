import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from './examples.ts'
import { topics } from './topics.ts'

/** `rsvp help`, for commands and for topics. */
export function addHelp(program: CommandUnknownOpts): void {
  const names = Array.from(topics.keys()).join(', ')
  program
    .command('help')
    .summary(`explain a command, or one of: ${names}`)
    .description(`Explains a command, or one of these: ${names}.`)
    .argument('[topic...]', 'a command, or one of these')
    .addHelpText('after', examples('rsvp help export', 'rsvp help cron'))
    .action(async (words) => {
      const topic = topics.get(words.join(' '))
      if (topic !== undefined) program.configureOutput().writeOut?.(await topic())
      else commandNamed(program, words).outputHelp()
    })
}

function commandNamed(program: CommandUnknownOpts, words: string[]): CommandUnknownOpts {
  let command = program
  for (const word of words) {
    const next = command.commands.find((known) => known.name() === word)
    if (next === undefined) return program.error(`error: there is no help on '${words.join(' ')}'`)
    command = next
  }
  return command
}
