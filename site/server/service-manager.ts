import { spawn } from 'node:child_process'
import { log } from './log.ts'

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
