import { type CommandUnknownOpts, Help } from '@commander-js/extra-typings'
import { topics } from '../../cli/program/help.ts'
import { createProgram } from '../../cli/program.ts'
import { code, table } from './markdown.ts'

const help = new Help()

/** `docs/command-line.md` of a release: everything that `--help` and `rsvp help` print. */
export async function commandLinePage(): Promise<string> {
  let written = ''
  const program = createProgram(() => async () => {}, {
    writeOut: (text) => {
      written += text
    },
  })
  const helpOf = (command: CommandUnknownOpts) => {
    written = ''
    command.outputHelp()
    return written
  }
  const groups = Map.groupBy(everyCommand(program), (command) => topmost(command).helpGroup())
  const overview = Array.from(groups, ([group, commands]) => groupOverview(group, commands))
  const commands = Array.from(groups.values()).flat()
  return `${start}

## Options of every command

Before or after any command:

${optionsTable(program, [['-h, --help', 'explain the command']])}
## The commands

${overview.join('\n')}
${commands.map((command) => section(command, helpOf(command))).join('\n')}
${(await otherTopics()).join('\n')}`
}

/** The other topics of `rsvp help`, except the settings, which have their own page. */
function otherTopics(): Promise<string[]> {
  const others = Array.from(topics).filter(([name]) => name !== 'environment')
  return Promise.all(others.map(async ([name, text]) => `## rsvp help ${name}\n\n\`\`\`\n${await text()}\`\`\`\n`))
}

const start = `# The command line

\`rsvp\` works directly on the database, whether or not the site is running. In the folder of the site, call it as \`npx rsvp\`, once \`npm start\` or \`npm run build\` has built it. To call it from anywhere:

\`\`\`sh
sudo ln -s "$PWD/cli/rsvp" /usr/local/bin/rsvp
\`\`\`

<p>
  <img alt="rsvp list in a terminal" src="pictures/list.png" width="860">
</p>

On a terminal you get a screen or aligned columns. A pipe gets one line for each item, with tab-separated cells in the order of the CSV, without control characters. \`--json\` prints exactly what is stored. The result goes to standard output, everything else to standard error. For wrong usage, two lines say what is wrong and which \`--help\` to read. Paths are relative to the current folder. [Operating the site](operating.md) says which command to use when.`

/** The subcommands, instead of the command that only groups them. */
function everyCommand(parent: CommandUnknownOpts): CommandUnknownOpts[] {
  return parent.commands.flatMap((command) => (command.commands.length > 0 ? everyCommand(command) : [command]))
}

function topmost(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.parent?.parent ? topmost(command.parent) : command
}

/** E.g. `rsvp roles`. */
function fullName(command: CommandUnknownOpts): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}

function groupOverview(group: string, commands: CommandUnknownOpts[]): string {
  const rows = commands.map((command) => {
    const name = fullName(command)
    return [`[${code(name)}](#${name.replaceAll(' ', '-')})`, command.summary()]
  })
  return table([group.replace(/:$/, ''), ''], rows)
}

function section(command: CommandUnknownOpts, helpText: string): string {
  const parts = command.registeredArguments.map((argument) => [
    help.argumentTerm(argument),
    help.argumentDescription(argument),
  ])
  const examples = helpText.split('\nExamples:\n')[1]?.trimEnd().replace(/^ {2}/gm, '') ?? ''
  return `### ${fullName(command)}

${command.description()}

\`\`\`
${help.commandUsage(command)}
\`\`\`

${optionsTable(command, parts)}
\`\`\`sh
${examples}
\`\`\`
`
}

/** The options after other parts, each with its choices and its default; empty where there are none. */
function optionsTable(command: CommandUnknownOpts, parts: string[][]): string {
  const options = command.options.map((option) => [help.optionTerm(option), help.optionDescription(option)])
  const rows = [...parts, ...options].map(([term = '', meaning = '']) => [code(term), meaning])
  return rows.length > 0 ? table(['', 'meaning'], rows) : ''
}
