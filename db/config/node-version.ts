/** Exit code for what cannot work (sysexits.h, EX_CONFIG): a service manager should not retry. */
const EXIT_CONFIGURATION = 78

/** Ends the process if its Node is too old. Call it before loading anything that an old Node does not support. */
export function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12)) return
  process.stderr.write(
    `This needs Node 22.12 or newer and found ${process.version}: use \`npm start\` or cli/rsvp, which bring their own, ` +
      'or install Node 24 from nodejs.org.\n',
  )
  process.exit(EXIT_CONFIGURATION)
}
