import { spawn } from 'node:child_process'
import { log } from './log.ts'

/** The file descriptor of the first socket that systemd passes on (sd_listen_fds(3)). */
const FIRST_SOCKET = 3

/**
 * The sockets that systemd has opened for this process and keeps open while it restarts, as file descriptors; none without
 * it. Only the first call gets them: processes that the site starts must not take them for theirs.
 */
export function takeSockets(): number[] {
  // biome-ignore lint/style/noProcessEnv: not settings: systemd sets these for its services.
  const variables = process.env
  const { LISTEN_PID, LISTEN_FDS } = variables
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete variables[name]
  const count = LISTEN_PID === String(process.pid) ? Number(LISTEN_FDS) : 0
  return Array.from({ length: count }, (_, at) => FIRST_SOCKET + at)
}

/**
 * Tells systemd that the site is ready, and from then on that it is alive: a site that hangs is restarted. Node has no
 * sockets of this kind, so systemd's own command does it. Without such a service manager nothing happens.
 */
export function reportToServiceManager(): void {
  // biome-ignore lint/style/noProcessEnv: not a setting: systemd sets these for its services.
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = process.env
  if (!NOTIFY_SOCKET) return
  notify('--ready')
  const timeout = Number(WATCHDOG_USEC ?? 0) / 1000
  if (timeout > 0) setInterval(() => notify('WATCHDOG=1'), timeout / 3).unref()
}

function notify(word: string): void {
  spawn('systemd-notify', [word], { stdio: 'ignore' }).once('error', (error) => {
    log.warn({ reason: error.message }, 'systemd could not be told that the site is alive')
  })
}
