import type { Command } from 'commander'
import { createProgram } from './program.ts'
import { run } from './run.ts'

// A pipe that is closed early is noticed by the write that meets it; without a listener it would end the process.
process.stdout.on('error', () => {})
process.exitCode = await main(process.argv.slice(2))

/** Answers the exit code, after everything has been said. */
async function main(words: string[]): Promise<number> {
  try {
    const program = createProgram(run)
    if (words.length === 0) program.outputHelp()
    else if (words[0] === 'complete') await complete(words)
    else await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Loaded late: help needs none of it.
    const { exitCodeOf, sentencesOf } = await import('./exit-code.ts')
    for (const sentence of sentencesOf(error)) process.stderr.write(`${sentence}\n`)
    return exitCodeOf(error)
  }
}

/** What a shell asks when somebody presses the tabulator: `rsvp complete -- list --st`. */
async function complete(words: string[]): Promise<void> {
  const { default: completions } = await import('@bomb.sh/tab/commander')
  // The same class at run time; the types of one know nothing of the other's inference.
  completions(createProgram(run) as unknown as Command).parse(words.slice(2))
}
