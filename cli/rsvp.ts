import { main } from './main.ts'

// A pipe that is closed early is noticed by the write that meets it; without a listener it would end the process.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
process.exitCode = await main(process.argv.slice(2), process)
