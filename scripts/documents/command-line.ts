import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { topics } from '../../cli/program/help.ts'
import { createProgram } from '../../cli/program.ts'

/** `docs/command-line.md` of a release: everything that `--help` and `rsvp help` print. */
export function commandLinePage(): string {
  let written = ''
  const writeOut = (text: string) => {
    written += text
  }
  const program = createProgram(() => async () => {}, { writeOut, getOutHelpWidth: () => 100 })
  const helpOf = (command: CommandUnknownOpts) => {
    written = ''
    command.outputHelp()
    return written
  }
  const commands = everyCommand(program).map((command) => {
    // The help of `rsvp` itself has the global options.
    const help = helpOf(command).replace(/\nGlobal Options:\n.*?\n\n/s, '\n')
    return section(`### ${fullName(command)}`, help)
  })
  // The settings have their own page.
  const others = Array.from(topics).filter(([name]) => name !== 'environment')
  const more = others.map(([name, text]) => section(`## rsvp help ${name}`, text()))
  return [start, section('## The commands', helpOf(program)), ...commands, ...more].join('\n')
}

function section(heading: string, text: string): string {
  return `${heading}\n\n\`\`\`\n${text}\`\`\`\n`
}

const start = `# The command line

\`rsvp\` works directly on the database, whether or not the site is running. In the folder of the site, call it as \`npx rsvp\`, once \`npm start\` or \`npm run build\` has built it. To call it from anywhere:

\`\`\`sh
sudo ln -s "$PWD/cli/rsvp" /usr/local/bin/rsvp
\`\`\`

On a terminal you get a screen or aligned columns. A pipe gets one line for each item, with tab-separated cells in the order of the CSV, without control characters. \`--json\` prints exactly what is stored. The result goes to standard output, everything else to standard error. For wrong usage, two lines say what is wrong and which \`--help\` to read. Paths are relative to the current folder. [Operating the site](operating.md) says which command to use when.
`

/** The subcommands, instead of the command that only groups them. */
function everyCommand(parent: CommandUnknownOpts): CommandUnknownOpts[] {
  return parent.commands.flatMap((command) => (command.commands.length > 0 ? everyCommand(command) : [command]))
}

/** E.g. `rsvp service list`. */
function fullName(command: CommandUnknownOpts): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}
