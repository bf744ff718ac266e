import { main } from './main.ts'

// The write that meets a closed pipe reports it; without a listener the error event would end the process first.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
process.exitCode = await main(process.argv.slice(2), process)
