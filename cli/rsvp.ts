import { refuseOldNode } from '#db/config/node-version.ts'

refuseOldNode()
// Only this account may read what a command creates, e.g. an export or a database.
process.umask(process.umask() | 0o077)
// `print` reports a closed pipe. Without these listeners the error event would end the process before that.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2), process)
