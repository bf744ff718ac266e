/** Where this computer reaches a site that listens on this host and port, without a proxy in front of it. */
export function ownAddress(host: string, port: number): string {
  const here = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`
}
