import { CommanderError, Help } from 'commander'
import { type Io, write } from './io.ts'
import { createProgram } from './program.ts'
import { runIn } from './run.ts'

/** Width of the help text if that of the terminal is unknown, in characters. */
const WIDTH = 80
/** As in `exitCodes`, which is not loaded for help. */
const USAGE = 2

/** Runs the command line, for a process or for a test. Returns the exit code, once everything has been written. */
export async function main(words: string[], io: Io): Promise<number> {
  let help = ''
  const program = createProgram(runIn(io), {
    writeOut: (text) => {
      help += text
    },
    writeErr: (text) => void io.stderr.write(text),
    getOutHelpWidth: () => widthOf(io.stdout),
    getErrHelpWidth: () => widthOf(io.stderr),
  })
  const code = await codeOf(io, async () => {
    if (words.length === 0) program.outputHelp()
    else if (words[0] === 'help') {
      const { explain } = await import('./program/help.ts')
      explain(program, words.slice(1))
    } else await program.parseAsync(words, { from: 'user' })
  })
  return help === '' ? code : codeOf(io, () => printHelp(help, io))
}

/** @returns the exit code of the outcome, after printing its sentences on standard error. */
async function codeOf(io: Io, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    // Commander has printed the error already. Help and version are errors too, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    // Loaded late: help needs none of it.
    const { sayError } = await import('./output/output.ts')
    return sayError(error, io)
  }
}

/** Commander has wrapped its own parts. What is indented besides them are commands to copy. */
async function printHelp(help: string, io: Io): Promise<void> {
  const helper = new Help()
  const wrapped = help.replaceAll(/^\S.*/gm, (line) => helper.boxWrap(line, widthOf(io.stdout)))
  const error = await write(wrapped, io)
  if (error !== undefined) throw (await import('./output/output.ts')).outputEnded(error)
}

function widthOf({ isTTY, columns }: NodeJS.WriteStream): number {
  return isTTY ? columns : WIDTH
}
