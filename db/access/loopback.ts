/** Whether a host name means this computer and no other, e.g. `localhost`. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[?::1\]?)$/.test(hostname)
}
