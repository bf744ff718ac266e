import { refuseOldNode } from '#db/config/node-version.ts'

refuseOldNode()
// Everything that it creates, e.g. an export or a database, is for this account only.
process.umask(process.umask() | 0o077)
// The write that meets a closed pipe reports it; without a listener the error event would end the process first.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2), process)
