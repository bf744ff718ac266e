import type { Command } from 'commander'
import { createProgram } from './program.ts'
import { run } from './run.ts'

// A pipe that is closed early is noticed by the write that meets it; without a listener it would end the process.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
process.exitCode = await main(process.argv.slice(2))

/** Answers the exit code, after everything has been said. */
async function main(words: string[]): Promise<number> {
  let help = ''
  const program = createProgram(run, (text) => {
    help += text
  })
  const code = await codeOf(async () => {
    if (words.length === 0) program.outputHelp()
    else if (words[0] === 'complete') {
      // What a shell asks when somebody presses the tabulator: `rsvp complete -- list --st`.
      const { complete } = await import('./completions.ts')
      await complete(program as unknown as Command, words.slice(2))
    } else await program.parseAsync(words, { from: 'user' })
  })
  return help === '' ? code : codeOf(async () => (await import('./output/output.ts')).print(help))
}

/** What became of it as an exit code, with its sentences on standard error. */
async function codeOf(work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    // Loaded late: help needs none of it.
    const { exitCodeOf, sentencesOf } = await import('./exit-code.ts')
    const { say } = await import('./output/output.ts')
    for (const sentence of sentencesOf(error)) say(sentence)
    return exitCodeOf(error)
  }
}
